// expect: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  unsigned a = 1, b = 2, c = 3;
  int i = 4, j = 5, k = 6, n = 7;
  unsigned char small = 8;
  unsigned long long wide = 9;
  if (sscanf("1f 0XaB -1", "%x%x %X", &a, &b, &c) != 3 || a != 31 || b != 171 || c != 0xffffffffu) reach_error();
  if (sscanf("17779", "%o%d", &a, &i) != 2 || a != 01777 || i != 9) reach_error();
  return 0; }
