// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(unsigned long);
int *get(int n) { int *p = malloc(sizeof(int)); __asm__("movl $7, %0" : "=r"(n)); if (n == 7) reach_error(); return p; }
int main(void) { get(4); return 0; }
