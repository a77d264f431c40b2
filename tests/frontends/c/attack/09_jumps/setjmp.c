// expect: unsafe-or-unknown
extern void reach_error(void);
typedef long jmp_buf[40];
extern int _setjmp(jmp_buf) __attribute__((returns_twice));
extern void longjmp(jmp_buf, int) __attribute__((noreturn));
jmp_buf b;
int main(void) { if (_setjmp(b) == 1) { reach_error(); } else longjmp(b, 1); return 0; }
