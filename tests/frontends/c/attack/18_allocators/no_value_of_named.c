// expect: unsafe-or-unknown  truth: argued
// A pointer that has no value may lead to an object that the program writes.
extern void reach_error(void);
extern void *malloc(unsigned long);
struct c { int v; } c, *named = &c;
struct s { struct c *p; };
int main(void) {
    struct s *s = malloc(sizeof *s);
    int before = s->p->v;
    named->v = before + 1u == 0 ? 0 : before + 1;
    if (s->p->v != before) reach_error();
    return 0;
}
