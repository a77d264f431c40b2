// expect: safe
extern void reach_error(void);
int n;
static int next(void) { return ++n; }
int main(void) { int x = (next(), next()); int y = next() && next(); if (x != 2 || !y || n != 4) reach_error(); return 0; }
