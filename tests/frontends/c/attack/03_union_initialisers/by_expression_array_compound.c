// expect: safe
extern void reach_error(void);
struct a { int x[3]; int y; };
int main(void){ struct a v={{1,2,3},4}; struct a arr[]={v,v,{{7},8}}; arr[0].x[1]=9; if (!(arr[1].x[1]==2)) reach_error(); if (!(sizeof arr==48&&arr[2].y==8&&arr[2].x[2]==0&&arr[0].x[1]==9)) reach_error(); return 0; }
