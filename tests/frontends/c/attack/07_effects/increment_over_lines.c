// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 1; x+\
+; if (x == 2) reach_error(); return 0; }
