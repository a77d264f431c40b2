// expect: unsafe
extern void reach_error(void);
int g; void c(int *p) { g += *p; }
int f(int k) { switch (k) { int d; case 1: { int x __attribute__((cleanup(c))) = 1; if (k) break; } case 2: g += 100; } return g; }
int main(void) { if (f(1) == 1) reach_error(); return 0; }
