// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x, y;
int main(void) { if (((unsigned long)&x >> 4) % 8 == ((unsigned long)&y >> 4) % 8) reach_error(); return 0; }
