// expect: safe
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long), *memmove(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
static int copied(unsigned n) {
  char a[8] = "abcdefg", b[8];
  memset(b, 'x', n + 2);
  memcpy(b, a, n);
  memmove(a + 1, a, n);
  return b[n - 1] + b[n] * 256 + a[n] * 65536;
}
int main(void) { if (copied(3) != 'c' + 'x' * 256 + 'c' * 65536) reach_error(); return 0; }
