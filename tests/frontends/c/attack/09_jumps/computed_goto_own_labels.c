// expect: unsafe-or-unknown
extern void reach_error(void);
#define TWICE(x) ({ __label__ again, out; void *way = &&again; int n = 0; \
    again: n++; x++; if (n == 2) way = &&out; goto *way; out: n; })
int main(void) { int y = 0; TWICE(y); TWICE(y); if (y == 4) reach_error(); return 0; }
