//// arrays and indices
int a[5] = {1, 2, 3}; int m[2][3] = {{1, 2}, {4, 5, 6}}; unsigned char b[] = {1, 2, 3, 4};
int main(void) {
  int i = 2;
  CHECK(a[0] == 1 && a[2] == 3 && a[3] == 0 && a[4] == 0);
  a[i] = 7; a[i + 1] = 8;
  CHECK(a[2] == 7 && a[3] == 8 && a[1] == 2);
  CHECK(m[0][2] == 0 && m[1][0] == 4 && m[1][i] == 6);
  m[i - 1][i - 2] = 9;
  CHECK(m[1][0] == 9 && m[0][0] == 1);
  CHECK(sizeof b == 4 && 2[b] == 3 && *(b + 1) == 2);
  i = 0; a[i++] = 5; a[i] += 10;
  CHECK(a[0] == 5 && a[1] == 12 && i == 1);
  for (i = 0; i < 5; i++) a[i] = i * i;
  CHECK(a[4] == 16 && a[0] == 0 && a[3] == 9);
  return 0;
}
//// pointers and their arithmetic
int a[4] = {10, 20, 30, 40}; long long w[2]; struct s { int x; char c; } s[3];
int main(void) {
  int *p = a, *q = &a[3];
  CHECK(*p == 10 && p[1] == 20 && *(p + 2) == 30 && q[-1] == 30);
  CHECK(q - p == 3 && p - q == -3 && &s[2] - s == 2);
  CHECK(p < q && q > p && p != q && p + 3 == q && p <= p);
  p++;
  CHECK(*p == 20 && *p++ == 20 && *p == 30 && *--p == 20);
  p += 2;
  CHECK(*p == 40 && p == q);
  *p = 5; (*q)++;
  CHECK(a[3] == 6);
  CHECK((char *)(a + 1) - (char *)a == 4 && (char *)&w[1] - (char *)w == 8 && (char *)(s + 1) - (char *)s == 8);
  CHECK(&a[4] - a == 4 && a + 4 > q && &*p == p && &p[0] == p);
  p = 0;
  CHECK(!p && p == 0 && q && (p ? 0 : 1));
  return 0;
}
//// pointers lead to what they were given
int x = 1, y = 2; int a[3] = {1, 2, 3};
static int *pick(int c, int *p, int *q) { return c ? p : q; }
int main(void) {
  int *p = &x, **pp = &p; int *t[2] = {&x, &y};
  *p = 5;
  CHECK(x == 5 && y == 2);
  *pp = &y;
  **pp = 6;
  CHECK(y == 6 && x == 5 && p == &y);
  *t[0] = 7; *t[1] = 8;
  CHECK(x == 7 && y == 8);
  *pick(1, &x, &y) = 1; *pick(0, &x, &y) = 2;
  CHECK(x == 1 && y == 2);
  *(y > 1 ? &x : &y) = 30;
  CHECK(x == 30 && y == 2);
  p = &a[1]; a[1] = 50;
  CHECK(*p == 50 && p[1] == 3);
  int (*r)[3] = &a;
  (*r)[2] = 60;
  CHECK(a[2] == 60 && r[0][0] == 1);
  void *v = p; *(int *)v = 4;
  CHECK(a[1] == 4);
  return 0;
}
//// arrays decay
int a[3] = {1, 2, 3};
static int sum(int v[], int n) { int s = 0; while (n--) s += *v++; return s; }
static unsigned long size(int v[3]) { return sizeof v; }
static int two(int v[][2]) { return v[1][0]; }
int main(void) {
  int m[2][2] = {{1, 2}, {3, 4}};
  CHECK(sum(a, 3) == 6 && sum(a + 1, 2) == 5 && sum(&a[2], 1) == 3);
  CHECK(size(a) == 8 && sizeof a == 12);
  CHECK(two(m) == 3 && **m == 1 && *m[1] == 3 && *(*(m + 1) + 1) == 4);
  CHECK(&a[0] == a && (void *)&a == (void *)a && &a + 1 == (void *)(a + 3));
  CHECK(sizeof(*m) == 8 && sizeof(m[0][0]) == 4 && sizeof(&m[0]) == 8);
  return 0;
}
//// structures
struct p { char c; int i; short s; }; struct q { struct p a[2]; struct p *n; };
static struct p make(int i) { struct p r = {i, i * 2, i * 3}; return r; }
static int sum(struct p v) { v.c++; return v.c + v.i + v.s; }
int main(void) {
  struct p x = {1, 2, 3}, y; struct q z = {{{4, 5, 6}}};
  y = x;
  y.i = 20;
  CHECK(x.i == 2 && y.i == 20 && y.c == 1 && y.s == 3);
  CHECK(sizeof(struct p) == 12 && sizeof(struct q) == 32 && _Alignof(struct p) == 4);
  CHECK((char *)&x.i - (char *)&x == 4 && (char *)&x.s - (char *)&x == 8);
  CHECK(z.a[0].s == 6 && z.a[1].i == 0 && z.n == 0);
  z.a[1] = x; z.n = &z.a[1]; z.n->i = 7;
  CHECK(z.a[1].i == 7 && (*z.n).c == 1 && x.i == 2);
  CHECK(sum(x) == 7 && x.c == 1 && make(2).s == 6 && sum(make(1)) == 7);
  y = make(5);
  CHECK(y.c == 5 && y.i == 10 && y.s == 15);
  x = y.i > 3 ? z.a[0] : y;
  CHECK(x.i == 5 && x.c == 4);
  int k = 1; z.a[k].s = 9; z.a[k] = z.a[k - 1];
  CHECK(z.a[1].s == 6 && z.n->i == 5);
  return 0;
}
//// unions overlay their members
union u { unsigned w; unsigned char b[4]; unsigned short h[2]; struct { short lo, hi; } s; };
union u g = { .h = { 0x1122, 0x3344 } }; struct { union u v; int t; } n = { { 5 }, 6 };
int main(void) {
  union u x = { 0x01020304 };
  CHECK(x.b[0] == 4 && x.b[3] == 1);
  CHECK(x.h[0] == 0x0304 && x.h[1] == 0x0102);
  x.b[1] = 0xff;
  CHECK(x.w == 0x0102ff04 && x.s.lo == -252);
  x.s.hi = -1;
  CHECK(x.w == 0xffffff04 && x.h[1] == 65535);
  CHECK(g.w == 0x33441122 && n.v.b[0] == 5 && n.t == 6);
  CHECK(sizeof(union u) == 4 && sizeof n == 8);
  union u y = x;
  y.w = 1;
  CHECK(x.w == 0xffffff04 && y.b[0] == 1);
  return 0;
}
//// initialisers
struct s { int a; int b[3]; char c; }; struct s g = { .c = 'x', .b = { 1, [2] = 3 } };
int a[] = { [3] = 4, 5, [0] = 1, 2 }; struct s t[2] = { 1, 2, 3, 4, 5, { .a = 6 } }; char n[2][3] = { "ab", { 'c' } };
int z; static struct s q; int *p = &a[1], (*f)(int); char *text = "hey"; int e = sizeof a / sizeof *a;
int main(void) {
  CHECK(g.a == 0 && g.b[0] == 1 && g.b[1] == 0 && g.b[2] == 3 && g.c == 'x');
  CHECK(sizeof a == 20 && a[0] == 1 && a[1] == 2 && a[2] == 0 && a[3] == 4 && a[4] == 5);
  CHECK(t[0].a == 1 && t[0].b[2] == 4 && t[0].c == 5 && t[1].a == 6 && t[1].b[0] == 0);
  CHECK(n[0][1] == 'b' && n[0][2] == 0 && n[1][0] == 'c' && n[1][1] == 0);
  CHECK(z == 0 && q.b[2] == 0 && *p == 2 && f == 0 && e == 5);
  int l[4] = { z + 1, l[0] };
  CHECK(l[0] == 1 && l[2] == 0 && l[3] == 0);
  struct s x = { 1, .b[1] = 7, 8 }, y[2] = { [1].a = 3 };
  CHECK(x.a == 1 && x.b[0] == 0 && x.b[1] == 7 && x.b[2] == 8 && x.c == 0 && y[1].a == 3 && y[0].a == 0);
  int r = { 5 }; unsigned char u = 300; int o[3] = { 1, 2, 3 }, v[3] = { 9, [0] = 4 };
  CHECK(r == 5 && u == 44 && o[2] == 3 && v[0] == 4 && text[1] == 'e');
  return 0;
}
//// string literals
char s[] = "abc", t[5] = "ab", u[2] = "xy"; char e[] = "\0a\n\101\x42";
int main(void) {
  int n = 0; const char *p = "one" "two";
  CHECK(sizeof s == 4 && sizeof "abc" == 4 && sizeof("" "") == 1 && sizeof e == 6);
  CHECK(s[3] == 0 && t[2] == 0 && t[4] == 0 && u[1] == 'y');
  CHECK(p[3] == 't' && p[6] == 0 && *"q" == 'q' && "abc"[2] == 'c');
  CHECK(e[0] == 0 && e[2] == 10 && e[3] == 'A' && e[4] == 'B');
  while (p[n]) n++;
  CHECK(n == 6);
  s[0] = 'z';
  CHECK(s[0] == 'z' && s[1] == 'b' && sizeof L"ab" == 12);
  return 0;
}
//// compound literals
struct s { int a, b; };
static int sum(struct s *p) { p->a++; return p->a + p->b; }
int main(void) {
  int k = 3, *p = (int[]){ 1, k, 5 };
  CHECK(p[1] == 3 && p[2] == 5);
  CHECK(sum(&(struct s){ 1, 2 }) == 4 && ((struct s){ .b = k }).b == 3 && ((struct s){ .b = k }).a == 0);
  struct s v;
  v = (struct s){ k, k + 1 };
  CHECK(v.a == 3 && v.b == 4 && (int){ 7 } == 7);
  return 0;
}
//// access at another width
unsigned w = 0x01020304; long long q; int a[2] = { 1, 2 };
int main(void) {
  CHECK(*(unsigned char *)&w == 4 && ((unsigned char *)&w)[3] == 1);
  ((unsigned char *)&w)[1] = 0xee;
  CHECK(w == 0x0102ee04);
  *(short *)&w = -1;
  CHECK(w == 0x0102ffff);
  q = -1; ((int *)&q)[1] = 5;
  CHECK(q == 0x5ffffffff);
  *(signed char *)&w = -2;
  CHECK(w == 0x0102fffe && *(unsigned char *)&w == 254 && *(signed char *)&w == -2);
  int *p = (int *)&w;
  *p = -3;
  CHECK(w == 4294967293u);
  ((unsigned short *)&a[1])[1] = 1;
  CHECK(a[1] == 65538 && a[0] == 1);
  return 0;
}
//// memory functions
typedef __typeof__(sizeof(0)) size; void *memcpy(void *, const void *, size), *memset(void *, int, size);
int a[4] = {1, 2, 3, 4}, b[4]; struct s { short x; int y; } s = {5, 6}, t;
int main(void) {
  memcpy(b, a, sizeof a);
  CHECK(b[0] == 1 && b[3] == 4);
  memcpy(b + 1, a, 8);
  CHECK(b[1] == 1 && b[2] == 2 && b[3] == 4);
  memset(b, 0, sizeof b);
  CHECK(b[0] == 0 && b[3] == 0);
  memset(b, -1, 4);
  CHECK(b[0] == -1 && b[1] == 0);
  memcpy(&t, &s, sizeof s);
  CHECK(t.x == 5 && t.y == 6);
  return 0;
}
//// memory from malloc
typedef __typeof__(sizeof(0)) size; void *malloc(size); void *calloc(size, size); void free(void *);
struct n { int v; struct n *next; };
int main(void) {
  struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->v = 1; b->v = 2; a->next = b; b->next = 0;
  CHECK(a->next->v == 2 && a != b && a->next->next == 0);
  a->next->v = 7;
  CHECK(b->v == 7 && a->v == 1);
  int *p = calloc(3, sizeof(int));
  p[1] = 4;
  CHECK(p[0] == 0 && p[1] == 4 && p[2] == 0);
  return 0;
}
//// layout
struct a { char c; long long l; char d; }; struct b { char c[3]; short s; }; struct c { struct b b; char e; };
struct __attribute__((packed)) d { char c; int i; }; union e { char c[5]; int i; };
int main(void) {
  CHECK(sizeof(struct a) == 24 && sizeof(struct b) == 6 && sizeof(struct c) == 8);
  CHECK(sizeof(union e) == 8 && _Alignof(long long) == 8);
  struct c v[2]; struct a w;
  CHECK((char *)&v[1].e - (char *)v == 14);
  CHECK((char *)&w.l - (char *)&w == 8 && (char *)&w.d - (char *)&w == 16);
  CHECK(sizeof(struct d) == 5);
  return 0;
}
//// anonymous members
struct s { int t; union { int i; char c[4]; }; struct { short x, y; }; };
int main(void) {
  struct s v = { 1, { 0x0a0b0c0d }, { 2, 3 } };
  CHECK(v.t == 1 && v.i == 0x0a0b0c0d && v.c[3] == 10 && v.x == 2 && v.y == 3);
  v.c[0] = 1;
  CHECK(v.i == 0x0a0b0c01 && sizeof v == 12);
  return 0;
}
//// effects happen once and in order
int n, a[4]; static int f(void) { return n++; }
int main(void) {
  int i = 0, x;
  a[f()] += 5;
  CHECK(n == 1 && a[0] == 5);
  a[i++] <<= 1;
  CHECK(i == 1 && a[0] == 10);
  int *p = a;
  *p++ = 7; *p++ += 2;
  CHECK(a[0] == 7 && a[1] == 2 && p == a + 2);
  x = (n = 3, f()) ? n : -1;
  CHECK(x == 4);
  x = f() == 4 && f() == 5 && f() == 9 || f() == 7;
  CHECK(x == 1 && n == 8);
  i = 1; i = (i++, i + 1);
  CHECK(i == 3);
  a[1] = a[0] = n;
  CHECK(a[0] == 8 && a[1] == 8);
  return 0;
}
//// volatile objects are ordinary where that is asked
volatile int v = 3; volatile struct { int a; } s = { 4 };
int main(void) {
  int x = v;
  v = x + 1;
  CHECK(v == 4 && x == 3);
  v++;
  CHECK(v == 5 && s.a == 4);
  return 0;
}
//// long arrays
int a[40]; struct s { short x; int y[2]; } s[12]; unsigned char b[33];
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = i * 3;
  int k = 17, n = 0;
  CHECK(a[k] == 51 && a[k + 22] == 117 && a[k - 17] == 0 && a[20] == 60);
  a[k] = -1; a[k + 3]++;
  CHECK(a[16] == 48 && a[17] == -1 && a[18] == 54 && a[20] == 61);
  int *p = &a[k], *q = a + 30;
  *p = 5; p[10] = 6; q[-30] = 7; *(q + 9) = 8;
  CHECK(a[17] == 5 && a[27] == 6 && a[0] == 7 && a[39] == 8 && a[26] == 78 && a[28] == 84);
  CHECK(q - p == 13 && p < q && *q == 90 && q[k - 8] == 8);
  for (k = 0; k < 12; k++) { s[k].x = k; s[k].y[k & 1] = k * 2; }
  CHECK(s[7].x == 7 && s[7].y[1] == 14 && s[7].y[0] == 0 && s[10].y[0] == 20);
  k = 9; s[k] = s[k - 5];
  CHECK(s[9].x == 4 && s[9].y[0] == 8 && s[8].x == 8 && s[10].x == 10);
  for (p = a; p < a + 40; p++) if (*p > 100) n++;
  CHECK(n == 5);
  b[32] = 1; b[k] = 2;
  CHECK(b[9] == 2 && b[32] == 1 && b[k + 1] == 0 && b[k + 23] == 1);
  return 0;
}
//// lists
typedef __typeof__(sizeof(0)) size; void *malloc(size); struct n { int v; struct n *next; };
int main(void) {
  struct n *head = 0; int s = 0;
  for (int i = 1; i < 4; i++) { struct n *one = malloc(sizeof *one); one->v = i * i; one->next = head; head = one; }
  CHECK(head->v == 9 && head->next->v == 4 && head->next->next->v == 1 && !head->next->next->next);
  head->next->v = 40;
  for (struct n *at = head; at; at = at->next) s += at->v;
  CHECK(s == 50);
  CHECK(head != head->next && head->next != head->next->next);
  return 0;
}
