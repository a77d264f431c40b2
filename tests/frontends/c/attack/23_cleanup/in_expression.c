// expect: safe
extern void reach_error(void);
int g; void c(int *p) { g += *p; *p = 0; }
int main(void) { int r = ({ int x __attribute__((cleanup(c))) = 4; x; }); if (!(r == 4 && g == 4)) reach_error(); return 0; }
