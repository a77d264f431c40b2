// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
typedef struct { long opaque[200]; } ucontext_t;
extern int getcontext(ucontext_t *);
extern void makecontext(ucontext_t *, void (*)(void), int, ...);
extern int swapcontext(ucontext_t *, const ucontext_t *);
ucontext_t a, b;
static void other(void) { reach_error(); }
int main(void) { getcontext(&b); makecontext(&b, other, 0); swapcontext(&a, &b); return 0; }
