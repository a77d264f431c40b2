// expect: safe-or-unknown
#include <stdlib.h>
extern void reach_error(void);
int main(void) { char *e; if (strtoll("-12x", &e, 10) != -12 || *e != 'x' || strtoull("077", 0, 0) != 63) reach_error(); return 0; }
