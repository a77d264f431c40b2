// expect: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void){ div_t d=div(-7,2); ldiv_t l=ldiv(7L,-2L); lldiv_t q=lldiv(100LL,7LL); if (!(d.quot==-3&&d.rem==-1)) reach_error(); if (l.quot==-3&&l.rem==1&&q.quot==14&&q.rem==2) reach_error(); return 0; }
