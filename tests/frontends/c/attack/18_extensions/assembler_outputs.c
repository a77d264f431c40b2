// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 1; __asm__("movl $7, %0" : "=r"(x)); if (x == 7) reach_error(); return 0; }
