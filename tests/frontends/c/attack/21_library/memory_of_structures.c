// expect: safe
#include <string.h>
#include <stdlib.h>
extern void reach_error(void);
struct s { int k; char c; };
void copy(struct s *to, const struct s *from, unsigned n) { memcpy(to, from, n * sizeof *to); }
int main(void) { struct s a[3] = {{1,2},{3,4},{5,6}}, b[3]; copy(b, a, 2); if (!(b[1].k == 3 && b[0].c == 2)) reach_error(); return 0; }
