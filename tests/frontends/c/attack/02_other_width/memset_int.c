// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
int main(void) { int x = 5; memset(&x, 0, sizeof x); if (x == 0) reach_error(); return 0; }
