// expect: safe
extern void reach_error(void);
void set(int n, int m, int a[n][m], int v){ a[n-1][m-1]=v; }
int main(void){ int a[2][2]={0}; set(2,2,a,5); if (!(a[1][1]==5)) reach_error(); if (!(a[0][1]==0)) reach_error(); return 0; }
