// expect: safe
#include <string.h>
extern void reach_error(void);
void zero(double *d, int n) { memset(d, 0, n * sizeof(double)); }
int main(void) { double d[3] = {1, 2, 3}; zero(d, 2); if (!(d[0] == 0 && d[1] == 0 && d[2] == 3)) reach_error(); return 0; }
