// expect: safe-or-unknown  truth: argued
// A write of bytes changes what is read there, too.
extern void reach_error(void);
extern void *malloc(unsigned long);
struct c { int v; };
struct s { struct c *p; int k; };
int main(void) {
    struct s *s = malloc(sizeof *s);
    if (s->p->v == 3) *(char *)s->p = 4;
    if (s->p->v == 3) reach_error();
    return 0;
}
