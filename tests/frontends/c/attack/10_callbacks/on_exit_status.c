// expect: unknown  truth: argued
// The status is not followed.
#include <stdlib.h>
extern void reach_error(void);
void handler(int status, void *given) { if (status != 0) reach_error(); }
int main(void) { on_exit(handler, 0); return 0; }
