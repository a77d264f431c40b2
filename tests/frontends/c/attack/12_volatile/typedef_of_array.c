// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
typedef int ports[2];
volatile ports p;
int main(void) { p[0] = 0; volatile ports *q = &p; if (p[0] && (*q)[0] && *(*q + 1)) reach_error(); return 0; }
