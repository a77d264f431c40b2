// expect: safe
#include <string.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) { int n = 5; int a[n], b[n]; memset(a, 0, sizeof a); a[4] = 7; memcpy(b, a, n * sizeof(int)); if (!(b[4] == 7 && b[3] == 0)) reach_error(); memmove(b, b + 1, (n - 1) * sizeof *b); if (!(b[3] == 7 && b[4] == 7 && a[0] == 0)) reach_error(); return 0; }
