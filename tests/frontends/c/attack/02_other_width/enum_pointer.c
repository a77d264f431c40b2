// expect: unsafe-or-unknown
extern void reach_error(void);
enum e { A, B };
int main(void) { int x = 0; *(enum e *)&x = B; if (x == 1) reach_error(); return 0; }
