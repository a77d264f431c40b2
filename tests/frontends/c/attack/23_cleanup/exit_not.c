// expect: unsafe
#include <stdlib.h>
extern void reach_error(void);
int g; void c(int *p) { if (*p == 0) reach_error(); }
int main(void) { int x __attribute__((cleanup(c))) = 4; if (g) exit(0); x = 0; return 0; }
