// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
int main(void) { int a[2] = {0x01020304, 7}; memset(a, 0xff, 2); if (a[0] == 0x0102ffff && a[1] == 7) reach_error(); return 0; }
