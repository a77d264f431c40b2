// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
int main(void) { unsigned char c[4] = {1, 2, 3, 4}; int x = 0; memcpy(&x, c, 4); if (x == 0x04030201) reach_error(); return 0; }
