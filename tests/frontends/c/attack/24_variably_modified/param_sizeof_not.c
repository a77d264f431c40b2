// expect: unsafe
extern void reach_error(void);
int f(int n, int m, int a[n][m]){ return sizeof a[0]; }
int main(void){ int a[2][3]; if (f(2,3,a)==12) reach_error(); return 0; }
