// expect: unsafe
#include <stdlib.h>
extern void reach_error(void);
static inline void freep(void *p){ free(*(void**)p); }
int main(void){ __attribute__((cleanup(freep))) char *s=malloc(4); s[0]=1; if (s[0]==1) reach_error(); return 0; }
