// expect: unsafe-or-unknown  truth: argued
// Two pointers that have no value may lead to one object.
extern void reach_error(void);
extern void *malloc(unsigned long);
struct c { int v; };
struct s { struct c *p, *q; };
int main(void) {
    struct s *s = malloc(sizeof *s);
    s->p->v = 1;
    s->q->v = 2;
    if (s->p->v == 2) reach_error();
    return 0;
}
