// expect: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int a; long long b; if (!(sscanf("-2147483648", "%d", &a) == 1 && a == -2147483647 - 1)) reach_error(); if (sscanf("9223372036854775807", "%lld", &b) == 1 && b == 9223372036854775807LL) reach_error(); return 0; }
