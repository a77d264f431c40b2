// expect: safe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2, c = 0; if (c && sizeof(int[n++]) > 1) n = 7; if (n != 2) reach_error(); return 0; }
