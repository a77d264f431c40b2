// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int x = 1\
2; char s[] = "a\
b"; if (x == 12 && sizeof s == 3) reach_error(); return 0; }
