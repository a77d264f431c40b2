// expect: unsafe
extern void reach_error(void);
int main(void) { if (sizeof(__builtin_choose_expr(1, (char)1, 2)) == 1) reach_error(); return 0; }
