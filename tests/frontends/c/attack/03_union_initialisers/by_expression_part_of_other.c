// expect: safe
extern void reach_error(void);
struct in { int a, b; }; struct out { struct in i; int c; };
struct in mk(int a){ struct in r={a,a+1}; return r; }
int main(void){ struct in x={1,2}; struct out o = { x, 3 }; struct out p = { mk(5), 6 }; struct out q[2]={ {x,3}, [1]={.i=mk(7), .c=9} };
 if (!(o.i.b==2)) reach_error(); if (!(p.i.a==5&&p.i.b==6&&p.c==6)) reach_error(); if (!(q[1].i.b==8&&q[1].c==9)) reach_error(); return 0; }
