// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void log_value(int);
int main(void) { int n = 0; log_value(n++); if (n == 1) reach_error(); return 0; }
