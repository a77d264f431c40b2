// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2; typedef int row[n++]; if (n == 3 && sizeof(row) == 8) reach_error(); return 0; }
