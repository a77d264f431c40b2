// expect: unknown  truth: argued
#include <string.h>
extern void reach_error(void);
void zero(int *d, int n) { memset(d, 0, n); }
int main(void) { int d[3] = {-1, 2, 3}; zero(d, 6); if (!(d[0] == 0 && d[2] == 3)) reach_error(); return 0; }
