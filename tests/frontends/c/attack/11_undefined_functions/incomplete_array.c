// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern int table[];
extern void run(void);
int main(void) { table[0] = 0; run(); if (table[0] == 42) reach_error(); return 0; }
