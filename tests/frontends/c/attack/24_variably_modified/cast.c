// expect: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { int n = 2, m = 3; int *q = malloc(6 * sizeof(int)); int (*p)[m] = (int (*)[m]) q; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) p[i][j] = 10 * i + j; if (!(q[5] == 12)) reach_error(); if (!(q[3] == 10 && ((int (*)[m]) q)[1][1] == 11)) reach_error(); return 0; }
