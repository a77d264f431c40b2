// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
int x; int main(void) { if (READ_ONCE(x) == 3) reach_error(); return 0; }
