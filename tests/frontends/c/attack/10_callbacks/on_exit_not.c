// expect: unsafe
#include <stdlib.h>
extern void reach_error(void);
int g;
void first(int status, void *p) { if (g == 2 && *(int *) p == 2) reach_error(); }
void second(void) { if (g == 1) g = 2; }
void third(int status, void *p) { if (p == 0) g = 1; }
int main(void) { on_exit(first, &g); atexit(second); on_exit(third, 0); exit(0); }
