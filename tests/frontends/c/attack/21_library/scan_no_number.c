// expect: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  unsigned a = 1, b = 2, c = 3;
  int i = 4, j = 5, k = 6, n = 7;
  unsigned char small = 8;
  unsigned long long wide = 9;
  if (sscanf("g", "%x", &a) != 0 || sscanf("-", "%x", &a) != 0 || sscanf(" ", "%o", &a) != -1 || a != 1) reach_error();
  if (sscanf("0 0xffffffffffffffff", "%x %llx", &a, &wide) != 2 || a || wide != ~0ull) reach_error();
  return 0; }
