// expect: unsafe
extern void reach_error(void);
int main(void) { int x = 1; *(unsigned *)&x = 0xffffffffu; if (x == -1) reach_error(); return 0; }
