// expect: safe
extern void reach_error(void);
int g; void c(int *p) { *p = 0; g++; }
int f(void) { __attribute__((__cleanup__(c))) int x = 7; return x; }
int main(void) { int r = f(); if (!(r == 7)) reach_error(); if (!(g == 1)) reach_error(); return 0; }
