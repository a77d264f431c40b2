// expect: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  unsigned a = 1, b = 2, c = 3;
  int i = 4, j = 5, k = 6, n = 7;
  unsigned char small = 8;
  unsigned long long wide = 9;
  if (sscanf("de:ad", "%2hhx:%llx%n", &small, &wide, &n) != 2 || small != 0xde || wide != 0xad || n != 5) reach_error();
  if (sscanf("123456", "%3x%1x%x", &a, &b, &c) != 3 || a != 0x123 || b != 4 || c != 0x56) reach_error();
  if (sscanf("0x", "%1x%c", &a, &small) == 2 || a || small != 'x') reach_error();
  return 0; }
