// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
typedef struct { long opaque[200]; } ucontext_t;
extern int getcontext(ucontext_t *);
extern int setcontext(const ucontext_t *);
ucontext_t c;
volatile int n;
int main(void) { getcontext(&c); if (n++ == 1) reach_error(); setcontext(&c); return 0; }
