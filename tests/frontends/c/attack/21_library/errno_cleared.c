// expect: safe
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) { int a = 4; errno = 0; long v = strtol("12", 0, 10); if (errno != 0) v = 12; if (!(v == 12 && a == 4)) reach_error(); return 0; }
