// expect: unsafe-or-unknown
extern void reach_error(void);
static void h(void) { reach_error(); }
static void (*const first)(void) __attribute__((section(".init_array"), used)) = h;
int main(void) { return 0; }
