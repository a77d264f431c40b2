// expect: unsafe
extern void reach_error(void);
int f(int n,int m,int k, int a[n][m][k]){ return a[1][0][1]; }
int main(void){ int a[2][2][2]={1,2,3,4,5,6,7,8}; if (f(2,2,2,a)==6) reach_error(); return 0; }
