// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
typedef struct { int v; } cell;
cell *mk(int v) { typedef struct { int v, w; } cell; cell *p = malloc(sizeof *p); p->w = v; p->v = v + 1; return (void *)p; }
int main(void) { cell *p = mk(1), *q = mk(5); if (p->v == 2 && q->v == 6) reach_error(); return 0; }
