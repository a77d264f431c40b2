// expect: unsafe
extern void reach_error(void);
struct a { int x, y; }; struct b { struct a p, q; };
int main(void){ struct a v={1,2}, w={3,4}; int n=v.x; struct b b={ n?v:w, n==2?v:w }; if (b.p.y==2&&b.q.x==3) reach_error(); return 0; }
