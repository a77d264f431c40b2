// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
int main(void) { int x = 0x04030201; unsigned char c[4] = {0}; memcpy(c, &x, 4); if (c[0] == 1 && c[3] == 4) reach_error(); return 0; }
