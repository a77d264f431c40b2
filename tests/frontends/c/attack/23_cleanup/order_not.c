// expect: unsafe
extern void reach_error(void);
int g; void c(int *p){ g=g*10+*p; }
int f(int k){ int x __attribute__((cleanup(c)))=1; int y __attribute__((cleanup(c)))=2; if(k) return g; { __attribute__((cleanup(c))) int z=3; } return g+100; }
int main(void){ int r=f(0); if (!(r==103)) reach_error(); if (g==321) reach_error(); return 0; }
