// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
static void put(char *to, int *from) { memcpy(to, from, 4); }
int main(void) { short h[2] = {1, 2}; int x = 0x30004; put((char *)h, &x); if (h[0] == 4 && h[1] == 3) reach_error(); return 0; }
