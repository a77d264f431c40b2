// expect: safe-or-unknown
extern void reach_error(void);
static int kept = 3; int g = 4;
int main(void) { int x = 1; __asm__ volatile("nop"); __asm__("pause"); if (x != 1 || kept != 3 || g != 4) reach_error(); return 0; }
