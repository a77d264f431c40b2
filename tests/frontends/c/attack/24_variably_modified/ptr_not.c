// expect: unsafe
extern void reach_error(void);
int f(int n, int (*a)[n]){ return a[1][0]; }
int main(void){ int a[2][3]={{1,2,3},{4,5,6}}; if (f(3,a)==4) reach_error(); return 0; }
