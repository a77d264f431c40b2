// expect: unsafe-or-unknown
#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (strtoul("-1", 0, 10) == ~0ul && strtoul("99999999999999999999", 0, 10) == ~0ul) reach_error(); return 0; }
