// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int sensor(void);
int main(void) { int a = sensor(), b = sensor(); if (a != b) reach_error(); return 0; }
