// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
static void clear(short *p) { memset(p, 0, 2 * sizeof(short)); }
int main(void) { int x = 7; clear((short *)&x); if (x == 0) reach_error(); return 0; }
