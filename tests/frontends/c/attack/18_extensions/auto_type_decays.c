// expect: unsafe
extern void reach_error(void);
int v[3];
int main(void) { __auto_type p = v; if (sizeof p != sizeof v) reach_error(); return 0; }
