// expect: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) { int a = 7, b = 8, c = 9; unsigned u; if (!(sscanf(" 12 -5x", "%d %d", &a, &b) == 2 && a == 12 && b == -5)) reach_error(); if (!(sscanf("x", "%d", &c) == 0 && c == 9)) reach_error(); if (!(sscanf("", "%d", &c) == -1)) reach_error(); if (!(sscanf("12345", "%2d%u", &a, &u) == 2 && a == 12 && u == 345)) reach_error(); return 0; }
