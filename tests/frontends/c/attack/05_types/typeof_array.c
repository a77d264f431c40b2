// expect: unsafe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
int main(void) { int a[4]; typeof(a) b; if (sizeof b == 4 * sizeof(int)) reach_error(); return 0; }
