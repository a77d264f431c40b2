// expect: unsafe
extern void reach_error(void);
static void h(int *x) { if (*x == 3) reach_error(); }
int main(void) { { int x __attribute__((cleanup(h))) = 3; } return 0; }
