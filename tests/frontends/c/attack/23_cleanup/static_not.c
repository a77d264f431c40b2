// expect: unsafe
extern void reach_error(void);
int g; void c(int *p) { g++; } int *leak;
int f(void) { static int x __attribute__((cleanup(c))) = 3; return x; }
int main(void) { f(); if (g == 0) reach_error(); return 0; }
