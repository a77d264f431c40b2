// expect: safe
extern void reach_error(void);
int g; void c(int *p) { g += *p; }
int main(void) { for (int i = 0; i < 3; i++) switch (i) { case 0: { int x __attribute__((cleanup(c))) = 1; break; } default: { int y __attribute__((cleanup(c))) = 10; if (i == 2) goto out; } }
out: if (!(g == 21)) reach_error(); return 0; }
