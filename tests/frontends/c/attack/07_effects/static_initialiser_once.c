// expect: unsafe-or-unknown
extern void reach_error(void);
static int next(void) { static int n = 5; return n++; }
int main(void) { next(); if (next() == 6) reach_error(); return 0; }
