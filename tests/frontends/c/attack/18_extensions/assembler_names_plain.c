// expect: unsafe-or-unknown
extern void reach_error(void);
static int kept __attribute__((used)) = 3;
int main(void) { __asm__ volatile("movl $7, kept(%rip)"); if (*(volatile int *)&kept == 7) reach_error(); return 0; }
