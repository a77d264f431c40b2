// expect: unsafe
extern void reach_error(void);
struct a { int x, y; }; struct b { struct a p; int q; };
int main(void){ struct b b={ ({ struct a t={1,2}; t.x++; t; }), 5 }; if (b.p.x==2&&b.q==5) reach_error(); return 0; }
