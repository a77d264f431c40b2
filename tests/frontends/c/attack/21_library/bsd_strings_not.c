// expect: unsafe
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
extern void reach_error(void);
int main(void) { char a[8] = "banana", b[8]; if (!(memccpy(b, a, 'n', 8) == b + 3 && memccpy(b, a, 'x', 4) == 0)) reach_error(); if (!(bcmp(a, "banana", 7) == 0 && bcmp(a, "banano", 6) != 0)) reach_error(); bzero(a, 3); if (a[2] == 0 && a[3] == 'a' && mempcpy(b, "xy", 2) == b + 2 && b[1] == 'y') reach_error(); return 0; }
