// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct s { volatile int flag; struct { int data; } inner; } d;
int main(void) { struct s *p = &d; volatile struct s *q = &d; if (p->flag && q->inner.data) reach_error(); return 0; }
