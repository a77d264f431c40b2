// expect: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  unsigned a = 1, b = 2, c = 3;
  int i = 4, j = 5, k = 6, n = 7;
  unsigned char small = 8;
  unsigned long long wide = 9;
  if (sscanf("0x10,010,-12", "%i,%i,%i", &i, &j, &k) != 3 || i != 16 || j != 8 || k != -12) reach_error();
  if (sscanf("08", "%i%d", &i, &j) != 2 || i != 0 || j != 8) reach_error();
  return 0; }
