// expect: safe
// Nobody looks at the numbers that members are reached by; others are looked at.
extern void reach_error(void);
struct s { int a; long b; struct { int c; int d; } in; } s;
int is_error(const void *p) { return (unsigned long)p > (unsigned long)-4095; }
int main(void) {
    struct s *p = &s;
    unsigned long at, by, to;
    s.in.d = 5;
    if (is_error(p)) return 0;
    by = 16 + 4;
    at = (unsigned long)p;
    to = by + at;
    *(int *)to += 1;
    at = (unsigned long)&s.in.d;
    p = (struct s *)(at - by);
    if (p->in.d != 6 || p != &s || (void *)to != &s.in.d) reach_error();
    return 0;
}
