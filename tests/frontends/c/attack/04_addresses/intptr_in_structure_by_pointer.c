// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
int x;
struct number { unsigned long n; };
static unsigned long get(struct number *s) { return s->n; }
int main(void) { int *p = &x; if (get((struct number *)&p) % 4096 != 0) reach_error(); return 0; }
