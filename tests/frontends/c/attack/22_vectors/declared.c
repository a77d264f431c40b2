// expect: safe
extern void reach_error(void);
typedef float v4 __attribute__((vector_size(16)));
typedef int w4 __attribute__((__vector_size__(16), __aligned__(8)));
struct s { int a; v4 v; int b; };
struct t { int a; w4 v; int b; };
v4 g;
v4 same(v4 x, int n) { return x; }
int main(void) {
  struct s s, t; v4 l; s.a = 1; s.b = 2; s.v = g; l = s.v; t = s; g = same(l, 3);
  if (sizeof(struct s) != 48 || sizeof(v4) != 16 || sizeof(struct t) != 32 || t.a + t.b != 3) reach_error();
  if (_Alignof(v4) != 16 || _Alignof(w4) != 8) reach_error();
  return 0; }
