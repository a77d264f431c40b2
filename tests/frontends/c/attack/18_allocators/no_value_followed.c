// expect: unsafe-or-unknown  truth: argued
// A pointer that has no value may lead to an object, in which there is anything.
extern void reach_error(void);
extern void *malloc(unsigned long);
struct c { int v; unsigned long a; };
struct s { struct c *p; int k; };
int main(void) {
    struct s *s = malloc(sizeof *s);
    s->k = 1;
    if (s->p->a & 256) reach_error();
    return 0;
}
