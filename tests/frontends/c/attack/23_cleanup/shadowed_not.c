// expect: unsafe
extern void reach_error(void);
int g; void c(int *p) { g = g * 10 + *p; }
int f(int k) { int x __attribute__((cleanup(c))) = 1; { int x = 5; int c = 3; if (k) return x + c; } return 0; }
int main(void) { if (!(f(1) == 8)) reach_error(); if (g == 1) reach_error(); return 0; }
