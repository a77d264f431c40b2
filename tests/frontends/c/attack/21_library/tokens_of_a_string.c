// expect: safe-or-unknown
#include <string.h>
extern void reach_error(void);
int main(void) { char s[] = "a,b"; char *t = strtok(s, ","); if (t != s || s[1]) reach_error(); t = strtok(0, ","); if (t != s + 2) reach_error(); return 0; }
