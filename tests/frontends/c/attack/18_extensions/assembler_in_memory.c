// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 1; __asm__ volatile("movl $7, (%0)" : : "r"(&x) : "memory"); if (x == 7) reach_error(); return 0; }
