// expect: safe-or-unknown
extern void reach_error(void);
static int kept = 3;
int main(void) { int x = 1, y = 2; __asm__ volatile("movl $7, %0" : "=r"(x) : : "memory"); if (y != 2 || kept != 3) reach_error(); return 0; }
