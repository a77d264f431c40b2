// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 1; __asm__ volatile("movl $7, %0" : : "m"(x) : "memory"); if (*(volatile int *)&x == 7) reach_error(); return 0; }
