// expect: unsafe-or-unknown
extern void reach_error(void);
static void h(void) { reach_error(); }
__attribute__((used, section(".fini_array"))) static void (*last)(void) = h;
int main(void) { return 0; }
