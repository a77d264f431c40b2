// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void set(unsigned long);
int main(void) { int x = 0; set((unsigned long)&x); if (x == 42) reach_error(); return 0; }
