// expect: unsafe-or-unknown
extern void reach_error(void);
union { int i; short s; } u = {.i = -1, .s = 1};
int main(void) { if (u.s == 1) reach_error(); return 0; }
