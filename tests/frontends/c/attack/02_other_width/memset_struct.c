// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
struct s { char c; int i; long l; };
int main(void) { struct s s = {1, 2, 3}; memset(&s, 0, sizeof(struct s)); if (!s.c && !s.i && !s.l) reach_error(); return 0; }
