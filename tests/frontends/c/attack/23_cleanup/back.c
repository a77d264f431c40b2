// expect: safe
extern void reach_error(void);
int g; void c(int *p) { g = g * 10 + *p; }
int main(void) { int i = 0; again:; int x __attribute__((cleanup(c))) = i; if (i++ < 2) goto again; if (!(g == 1 || g == 0 || g == 1)) reach_error(); if (!(g == 1)) reach_error(); return 0; }
