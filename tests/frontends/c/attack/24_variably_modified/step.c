// expect: safe
extern void reach_error(void);
int main(void) { int n = 3; int a[2][3] = {{1,2,3},{4,5,6}}; int (*p)[n] = a, (*e)[n] = a + 2; int s = 0; for (; p < e; p++) s += (*p)[1]; if (!(s == 7 && p - (int (*)[n]) a == 2)) reach_error(); p--; if (!(*(*p + 2) == 6 && sizeof *p == 12 && sizeof(p[0]) / sizeof(p[0][0]) == 3)) reach_error(); return 0; }
