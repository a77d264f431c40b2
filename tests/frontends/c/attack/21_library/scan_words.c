// expect: safe
#include <stdio.h>
extern void reach_error(void);
int main(void) { char w[8], v[4], c; int n = 0, k; if (!(sscanf("key=val 3", "%7[a-z]=%3s%n%c%d", w, v, &n, &c, &k) == 4)) reach_error(); if (!(w[2] == 'y' && w[3] == 0 && v[2] == 'l' && n == 7)) reach_error(); if (!(c == ' ' && k == 3)) reach_error(); return 0; }
