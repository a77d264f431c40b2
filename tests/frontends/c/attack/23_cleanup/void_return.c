// expect: safe
extern void reach_error(void);
int g; void c(int *p) { g += *p; } int set(void) { return g = 50; }
void f(int k) { int x __attribute__((cleanup(c))) = 7; if (k) return (void) set(); g = 1; }
int main(void) { f(1); if (!(g == 57)) reach_error(); return 0; }
