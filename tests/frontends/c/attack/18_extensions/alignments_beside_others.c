// expect: safe-or-unknown
#include <stddef.h>
extern void reach_error(void);
struct s { char c; long l; };
int main(void) { double d; char c; struct s v; if (_Alignof(d) != 8 || __alignof__(c) != 1 || _Alignof(v) != 8) reach_error(); return 0; }
