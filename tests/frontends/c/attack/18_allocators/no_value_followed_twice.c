// expect: safe-or-unknown  truth: argued
// Wherever the pointer leads, what is there stays.
extern void reach_error(void);
extern void *malloc(unsigned long);
struct c { int v; unsigned long a; };
struct s { struct c *p; int k; };
int main(void) {
    struct s *s = malloc(sizeof *s);
    unsigned long before = s->p->a;
    if (s->p->a != before) reach_error();
    return 0;
}
