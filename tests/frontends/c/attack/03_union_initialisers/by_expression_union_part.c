// expect: safe
extern void reach_error(void);
union u { int i; char c[4]; }; struct s { union u u; int k; };
int main(void){ union u x; x.i=0x01020304; struct s s={x,5}; if (!(s.u.c[0]==4&&s.k==5)) reach_error(); return 0; }
