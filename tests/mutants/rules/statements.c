//// loops
int main(void) {
  int s = 0, i;
  for (i = 0; i < 5; i++) { if (i == 1) continue; if (i == 4) break; s += i; }
  CHECK(s == 5 && i == 4);
  s = 2;
  while (s < 7) { s += 2; if (s == 4) continue; s++; }
  CHECK(s == 7);
  s = 0;
  do { s++; if (s == 2) continue; } while (s < 3);
  CHECK(s == 3);
  s = 0;
  do s++; while (0);
  CHECK(s == 1);
  for (int k = 3; k--;) s += k;
  CHECK(s == 4);
  for (s = 0;;) if (++s > 5) break;
  CHECK(s == 6);
  for (int p = 0; p < 3; p++) for (int q = 0; q < 3; q++) { if (q > p) break; s++; }
  CHECK(s == 12);
  while (0) s = 99;
  CHECK(s == 12);
  return 0;
}
//// switch
static int f(int k) {
  int s = 0;
  switch (k) { case 1: s += 1; default: s += 10; break; case 2: s += 100; case 3: s += 1000; }
  return s;
}
static int g(long long k) {
  switch (k) { case 0x100000001: return 1; case 1: return 2; case -1: return 3; }
  return 4;
}
static int k(unsigned char c) {
  switch (c) { case 300: return 1; case 44: return 2; case -1: return 3; case 255: return 4; default: return 5; }
}
static int r(unsigned k) {
  switch (k) { case 2 ... 4: return 1; case 5: { if (k) { case 9: return 2; } } default:; }
  return 3;
}
static int p(unsigned k) { switch (k) { case 0x7ffffff0u ... 0x80000010u: return 1; case 4294967295u: return 2; } return 3; }
static int q(int k) { switch (k) { case -3 ... 2: return 1; case 3: return 2; } return 3; }
int main(void) {
  CHECK(f(1) == 11);
  CHECK(f(2) == 1100);
  CHECK(f(3) == 1000);
  CHECK(f(7) == 10);
  CHECK(g(0x100000001) == 1 && g(1) == 2 && g(-1) == 3 && g(0) == 4);
  CHECK(k(44) == 2);
  CHECK(k(255) == 4 && k(0) == 5);
  CHECK(r(2) == 1 && r(4) == 1 && r(1) == 3 && r(5) == 2 && r(9) == 2);
  CHECK(q(-3) == 1 && q(0) == 1 && q(2) == 1 && q(3) == 2 && q(-4) == 3);
  CHECK(p(0x7ffffff0u) == 1 && p(0x80000000u) == 1 && p(0x80000011u) == 3 && p(5) == 3 && p(-1) == 2);
  int n = 0;
  switch (3) { case 1: n = 1; }
  CHECK(n == 0);
  switch (n) { n = 7; case 0: n++; }
  CHECK(n == 1);
  for (int i = 0; i < 3; i++) { switch (i) { case 1: continue; case 2: break; } n += 10; }
  CHECK(n == 21);
  int s = 2; switch (s) { case 0: while (s > 0) { s -= 5; case 2: s--; } }
  CHECK(s == -5);
  return 0;
}
//// jumps
static int f(int a) {
  if (a) goto in;
  if (a + 1) { int z = 5; a += z; in: z = 3; a += z; }
  return a;
}
static int g(void) {
  int n = 0, s = 0;
again:;
  int y = n * 2;
  s += y;
  y = 100;
  if (n++ < 2) goto again;
  return s;
}
int main(void) {
  int s = 0, i = 0;
  goto over;
  s = 1;
over:
  CHECK(s == 0);
back: s++; if (s < 3) goto back;
  CHECK(s == 3);
  for (int p = 0; p < 3; p++) for (int q = 0; q < 3; q++) { i++; if (p == 1 && q == 1) goto out; }
out:
  CHECK(i == 5);
  CHECK(f(0) == 8 && f(4) == 7);
  CHECK(g() == 6);
  return 0;
}
//// branches
static int f(int a, int b) { if (a) if (b) return 1; else return 2; return 3; }
int main(void) {
  int n = 0;
  CHECK(f(1, 1) == 1);
  CHECK(f(1, 0) == 2 && f(0, 1) == 3);
  if (0) n = 1; else if (n == 0) n = 2; else n = 3;
  CHECK(n == 2);
  if (n & 4); else n = 8;
  CHECK(n == 8);
  if (n > 3) { n--; n--; } else n = 0;
  CHECK(n == 6);
  return 0;
}
//// names in blocks
int x = 1; typedef int t;
static int f(int x) { { int x = 3; x++; } return x; }
int main(void) {
  CHECK(x == 1);
  int x = 2;
  { int y = x; int x = 30; x += y; CHECK(x == 32); { extern int x; CHECK(x == 1); } }
  CHECK(x == 2 && f(7) == 7);
  for (int x = 0; x < 3; x++);
  CHECK(x == 2);
  { typedef char t; CHECK(sizeof(t) == 1); { int t = 4; CHECK(t == 4); } }
  CHECK(sizeof(t) == 4);
  { struct s { char c; }; { struct s { int i; }; CHECK(sizeof(struct s) == 4); } CHECK(sizeof(struct s) == 1); }
  return 0;
}
//// static objects are initialised once
static int f(void) { static int n = 5; return ++n; }
static int g(void) { static int n; n += 2; { static int n = 100; n++; } return n; }
static int *k(int v) { static int a[2] = {3, 4}; a[0] += v; return a; }
int main(void) {
  CHECK(f() == 6);
  CHECK(f() == 7);
  CHECK(g() == 2);
  CHECK(g() == 4);
  CHECK(k(1)[0] == 4 && k(1)[0] == 5 && k(0)[1] == 4);
  for (int i = 0; i < 3; i++) { int z = 1; z++; static int y = 1; y++; if (i == 2) { CHECK(y == 4 && z == 2); } }
  return 0;
}
//// calls
static unsigned char n(int x) { return x; }
static int w(signed char x) { return x; }
static long long l(long long a, int b) { return a * b; }
static int late(int x) { if (x > 2) return 1; x += 2; return x; }
static void set(int *p, int v) { *p = v; }
static int (*choose(int c))(int) { return c ? late : 0; }
int main(void) {
  int a = 1;
  CHECK(n(258) == 2 && n(-1) == 255);
  CHECK(w(200) == -56);
  CHECK(l(-1u, 2) == 8589934590);
  CHECK(late(1) == 3 && late(3) == 1);
  set(&a, 9);
  CHECK(a == 9);
  CHECK(late(late(late(1))) == 3);
  CHECK(choose(1)(1) == 3 && (*choose(2))(5) == 1 && !choose(0));
  return 0;
}
//// recursion
static int fact(int n) { return n ? n * fact(n - 1) : 1; }
static int fib(int n) { int a, b; if (n < 2) return n; a = fib(n - 1); b = fib(n - 2); return a + b; }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int depth(int n) { static int most; if (n > most) most = n; int here = n; if (n < 3) depth(n + 1); return here * 10 + most; }
int main(void) {
  CHECK(fact(5) == 120);
  CHECK(fib(6) == 8);
  CHECK(even(4) == 1 && odd(4) == 0);
  CHECK(depth(0) == 3);
  return 0;
}
//// pointers to functions
static unsigned add(unsigned a, unsigned b) { return a + b; }
static unsigned sub(unsigned a, unsigned b) { return a - b; }
static unsigned (*const table[3])(unsigned, unsigned) = { add, &sub };
struct ops { unsigned (*f)(unsigned, unsigned); int n; };
static unsigned apply(unsigned f(unsigned, unsigned), unsigned a) { return f(a, 3); }
int main(void) {
  unsigned (*p)(unsigned, unsigned) = add;
  struct ops o = { sub, 2 };
  CHECK(p(1, 2) == 3 && (*p)(1, 2) == 3 && (&add)(3, 4) == 7);
  p = &sub;
  CHECK(p(5, 2) == 3 && p == sub && p != add);
  CHECK(table[0](2, 2) == 4 && table[1](2, 2) == 0 && table[2] == 0);
  CHECK(o.f(9, 1) == 8 && apply(add, 4) == 7 && apply(o.f, 4) == 1);
  p = o.n > 1 ? add : sub;
  CHECK(p(1, 1) == 2 && (**p)(2, 1) == 3);
  return 0;
}
//// statement expressions and typeof
int g = 5; unsigned char c = 3; int a[4];
int main(void) {
  int v = ({ int t = g; t *= 2; t + 1; });
  CHECK(v == 11);
  CHECK(({ if (g > 3) v = 1; v; }) == 1);
  __typeof__(c) d = 300;
  CHECK(d == 44 && sizeof(__typeof__(a)) == 16 && sizeof(__typeof__(c + 1)) == 4);
  __typeof__(&a[0]) p = a;
  p[1] = 4;
  CHECK(a[1] == 4 && sizeof(__typeof__(*p)) == 4);
  __typeof__(g++) n = 1;
  CHECK(g == 5 && n == 1);
  return 0;
}
//// inputs have the values of their types
extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = a; unsigned char c = __VERIFIER_nondet_uchar(); _Bool d = __VERIFIER_nondet_bool();
  CHECK(a == b);
  CHECK(c <= 255 && c >= 0);
  CHECK(d == 0 || d == 1);
  CHECK((a & 1) + ((a >> 1) & 0x7fffffff) * 2u == a);
  return 0;
}
