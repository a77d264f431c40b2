// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int abc = 1; a\
bc = 2; if (abc == 2) reach_error(); return 0; }
