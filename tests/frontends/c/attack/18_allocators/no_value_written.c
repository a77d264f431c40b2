// expect: safe-or-unknown  truth: argued
// Wherever the pointer leads, what was written is there.
extern void reach_error(void);
extern void *malloc(unsigned long);
struct c { int v; unsigned long a; };
struct s { struct c *p; int k; };
void set(int *p) { *p = 7; }
int main(void) {
    struct s *s = malloc(sizeof *s);
    if (s->p->v == 3) s->p->v = 5;
    if (s->p->v == 3) reach_error();
    set(&s->p->v);
    if (s->p->v != 7) reach_error();
    return 0;
}
