// expect: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int a = 0; short h; long l; if (!(sscanf("1 2 3 99%", "%*d %d %hd %ld%%", &a, &h, &l) == 3)) reach_error(); if (!(a == 2 && h == 3 && l == 99)) reach_error(); return 0; }
