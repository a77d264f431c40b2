// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
struct s { int a, b, c; };
int main(void) { struct s s = {1, 2, 3}; memset(&s.a, 0, 2 * sizeof(int)); if (!s.a && !s.b && s.c == 3) reach_error(); return 0; }
