// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int n = 2; typedef int row[n]; n = 5; row r; if (sizeof r == 8) reach_error(); return 0; }
