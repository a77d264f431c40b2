// expect: unsafe-or-unknown
extern void reach_error(void);
static void clear(void *at, unsigned n) { unsigned char *p = at; while (n--) *p++ = 0; }
int main(void) { long x = -1; clear(&x, sizeof x); if (x == 0) reach_error(); return 0; }
