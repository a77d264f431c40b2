// expect: safe
#include <string.h>
extern void reach_error(void);
int main(void){ size_t (*f)(const char *) = &strlen; if (!((*f)("abc")==3 && (*strlen)("a")==1)) reach_error(); return 0; }
