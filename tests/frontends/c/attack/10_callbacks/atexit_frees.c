// expect: safe-or-unknown
#include <stdlib.h>
extern void reach_error(void);
static int *p;
static void h(void) { if (*p != 5) reach_error(); free(p); }
int main(void) { p = malloc(sizeof *p); *p = 5; atexit(h); return 0; }
