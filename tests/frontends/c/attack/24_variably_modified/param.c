// expect: safe
extern void reach_error(void);
int sum(int n, int m, int a[n][m]){ int s=0; for(int i=0;i<n;i++) for(int j=0;j<m;j++) s+=a[i][j]; return s; }
int main(void){ int a[2][3]={{1,2,3},{4,5,6}}; if (!(sum(2,3,a)==21)) reach_error(); return 0; }
