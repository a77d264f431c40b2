// expect: unsafe
extern void reach_error(void);
int main(void) {
  int n = 3, m = 2;
  unsigned long s = sizeof(short[n++][m]);
  int k = sizeof(char[n]);
  if (n == 4 && s == 12 && k == 4) reach_error();
  return 0;
}
