// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
struct n { struct n *next; int v; };
struct n *mk(int v) { struct n *p; if (v > 5) p = malloc(sizeof *p); else p = malloc(4); if (v > 5) p->v = v; return p; }
int main(void) { struct n *a = mk(7), *b = mk(3); if (a->v == 7 && a != b) reach_error(); return 0; }
