// expect: unsafe-or-unknown
extern void reach_error(void);
static void before(void) { reach_error(); }
__attribute__((section(".init_array.00101"), used)) static void (*start)(void) = before;
int main(void) { return 0; }
