// expect: safe-or-unknown
extern void reach_error(void);
int g = 5;
int main(void) { int x = 1; __asm__ volatile("nop" : : "r"(&x) : "memory"); if (x != 1 || g != 5) reach_error(); return 0; }
