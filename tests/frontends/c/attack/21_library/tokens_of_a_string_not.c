// expect: unsafe-or-unknown
#include <string.h>
extern void reach_error(void);
int main(void) { char s[] = ",b"; char *t = strtok(s, ","); if (t == s + 1 && !strtok(0, ",")) reach_error(); return 0; }
