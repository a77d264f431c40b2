//// promotion of narrow types
unsigned short us = 65535; unsigned char uc = 200; signed char sc = -1;
int main(void) {
  CHECK(us + 1 == 65536);
  CHECK(uc + uc == 400);
  CHECK(~uc == -201);
  CHECK(-us == -65535);
  CHECK(sc < uc);
  CHECK(us * 2 > 0 && sizeof(us + us) == 4);
  CHECK((uc << 8) == 51200 && (sc >> 1) == -1);
  CHECK(!us == 0 && sizeof(+uc) == 4 && sizeof(~sc) == 4);
  return 0;
}
//// usual arithmetic conversions
int i = -1; unsigned u = 1; long l = -1; unsigned long ul = 1; long long ll = -1;
int main(void) {
  CHECK(i > u);
  CHECK(l < u);
  CHECK(l > ul);
  CHECK(ll > ul);
  CHECK(i < l + 1);
  CHECK((i + u) == 0 && (i - u) > 0);
  CHECK(sizeof(i + l) == 8 && sizeof(i + u) == 4);
  CHECK((l / u) == -1 && (i / u) == 4294967295u);
  CHECK((1 ? i : u) > 0 && (0 ? u : i) > 0);
  CHECK((i & l) == -1 && (u | l) == -1 && (i ^ ul) == -2ul);
  return 0;
}
//// conversion to a narrower type
int i = 300; long long w = 0x123456789abll; int m = -1;
int main(void) {
  unsigned char c = i; signed char s = 200; short k = 70000; unsigned u = w; _Bool b = 256;
  CHECK(c == 44);
  CHECK(s == -56);
  CHECK(k == 4464);
  CHECK(u == 0x456789abu);
  CHECK(b == 1 && (_Bool)0 == 0 && (_Bool)w == 1);
  CHECK((unsigned short)m == 65535 && (char)i == 44 && (int)w == 0x456789ab);
  return 0;
}
//// conversion to a wider type
signed char sc = -3; unsigned char uc = 253; int i = -5; unsigned u = 4294967291u; short s = -2; unsigned short us = 65534;
int main(void) {
  long long a = sc, b = uc, c = i, d = u, e = s, f = us;
  CHECK(a == -3 && b == 253);
  CHECK(c == -5);
  CHECK(d == 4294967291ll);
  CHECK(e == -2 && f == 65534);
  CHECK((unsigned long long)i == 18446744073709551611ull);
  CHECK((unsigned)sc == 4294967293u && (unsigned short)sc == 65533);
  CHECK((long)(unsigned)i == 4294967291l);
  return 0;
}
//// shifts have the type of the left operand
unsigned char c = 1; long l = 1; int i = -16; unsigned u = 0x80000000u; long long n = 3;
int main(void) {
  CHECK(sizeof(c << l) == 4 && sizeof(l << c) == 8);
  CHECK((i >> 2) == -4);
  CHECK((u >> 31) == 1);
  CHECK((l << 40) == 1099511627776);
  CHECK((u << 1) == 0);
  CHECK((1 << n) == 8 && (-1 >> n) == -1);
  CHECK(((unsigned)i >> 28) == 15);
  CHECK(((long long)i >> 60) == -1 && ((unsigned long long)i >> 60) == 15);
  return 0;
}
//// division truncates
int a = -7, b = 2; unsigned u = 4294967289u; long long w = -9;
int main(void) {
  CHECK(a / b == -3);
  CHECK(a % b == -1);
  CHECK(7 / -b == -3 && 7 % -b == 1);
  CHECK(u / 2 == 2147483644 && u % 10 == 9);
  CHECK(w / 4 == -2 && w % 4 == -1);
  CHECK(a / 2u == 2147483644u);
  CHECK(a / -7 == 1 && a % 7 == 0);
  return 0;
}
//// comparisons
int a = -1, b = 1; unsigned u = 4294967295u, v = 1; signed char c = -128; unsigned char d = 128;
int main(void) {
  CHECK((a < b) == 1 && (b < a) == 0);
  CHECK(u > v && !(u < v));
  CHECK(a == u);
  CHECK(c < d && c != d);
  CHECK((a <= -1) && (a >= -1) && !(a > -1) && !(a < -1));
  CHECK(u >= v && v <= u && v <= 1 && !(v > 1));
  CHECK((a < b) + (b < a) * 2 == 1 && sizeof(a < b) == 4);
  CHECK(3 > 2 && !(3 > 2 > 1));
  return 0;
}
//// unsigned arithmetic wraps around
unsigned u = 4294967295u; unsigned char c = 255; unsigned long long w = 18446744073709551615ull; unsigned short s = 0;
int main(void) {
  CHECK(u + 1 == 0 && 0u - 1 == u);
  CHECK(u * u == 1);
  CHECK(w + 2 == 1);
  c++;
  CHECK(c == 0);
  s--;
  CHECK(s == 65535);
  CHECK(-u == 1 && ~u == 0 && -0x80000000u == 0x80000000u);
  return 0;
}
//// types of constants
int main(void) {
  CHECK(sizeof(2147483647) == 4 && sizeof(2147483648) == 8);
  CHECK(sizeof(0x80000000) == 4 && 0x80000000 > 0);
  CHECK(sizeof(0xffffffff) == 4 && -1 == 0xffffffff);
  CHECK(sizeof(1l) == 8 && sizeof(1ull) == 8 && sizeof(1u) == 4);
  CHECK(-1 < 4294967295);
  CHECK(-1 == 4294967295u);
  CHECK(0x10 == 16 && 010 == 8 && 0b101 == 5);
  CHECK(-2147483648 < 0 && sizeof(-2147483648) == 8);
  CHECK(9223372036854775807 > 0 && 0xffffffffffffffff == -1);
  CHECK(_Generic(0x80000000, unsigned: 1, default: 0) && _Generic(2147483648, long: 1, default: 0));
  return 0;
}
//// character constants
int main(void) {
  CHECK('a' == 97 && sizeof('a') == 4);
  CHECK('\n' == 10 && '\0' == 0 && '\\' == 92 && '\'' == 39);
  CHECK('\377' == -1 && '\xff' == -1 && '\x41' == 65);
  CHECK('\101' == 'A' && '\7' == 7);
  CHECK(L'a' == 97);
  return 0;
}
//// conversion to _Bool
int main(void) {
  _Bool b = 2, c = 0, *p = &b;
  CHECK(b == 1 && c == 0);
  b += 5;
  CHECK(b == 1);
  b--;
  CHECK(b == 0);
  b--;
  CHECK(b == 1);
  b = 0x100;
  CHECK(b == 1 && b + b == 2 && sizeof(b) == 1);
  c = p;
  CHECK(c == 1 && (_Bool)&c && ~b == -2);
  return 0;
}
//// compound assignment converts back
int main(void) {
  unsigned char c = 250; signed char s = 100; short k = -1; int i = 5; unsigned u = 1; long long w = 1;
  c += 10;
  CHECK(c == 4);
  s += 100;
  CHECK(s == -56);
  k >>= 1;
  CHECK(k == -1);
  i *= 2u;
  CHECK(i == 10);
  i -= 3 * 4;
  CHECK(i == -2);
  u -= 2;
  CHECK(u == 4294967295u);
  w <<= 40;
  CHECK(w == 1099511627776);
  c = 7; c /= 2; c |= 8; c ^= 1; c &= 14; c %= 7;
  CHECK(c == 3);
  i = 7; i /= -2;
  CHECK(i == -3);
  c = 200; c <<= 1;
  CHECK(c == 144);
  CHECK((c = 300) == 44 && (c += 300) == 88);
  return 0;
}
//// increments
int main(void) {
  int a = 5, b; unsigned char c = 255; signed char s = 127;
  b = a++;
  CHECK(b == 5 && a == 6);
  b = ++a;
  CHECK(b == 7 && a == 7);
  b = a--;
  CHECK(b == 7 && a == 6);
  b = --a;
  CHECK(b == 5 && a == 5);
  b = c++;
  CHECK(b == 255 && c == 0);
  b = ++s;
  CHECK(b == -128 && s == -128);
  CHECK(sizeof(c++) == 1 && c == 0);
  return 0;
}
//// logical operators do not evaluate what does not matter
int n;
static int f(int r) { n++; return r; }
int main(void) {
  int a = 0, b;
  b = a && ++a;
  CHECK(b == 0 && a == 0);
  b = a || (a = 7);
  CHECK(b == 1 && a == 7);
  b = a || ++a;
  CHECK(b == 1 && a == 7);
  b = f(0) && f(1);
  CHECK(b == 0 && n == 1);
  b = f(2) && f(3);
  CHECK(b == 1 && n == 3);
  b = f(0) || f(0);
  CHECK(b == 0 && n == 5);
  CHECK((!a || a / 7 == 1) && (a == 0 || 14 / a == 2));
  return 0;
}
//// the conditional operator evaluates one of two
int n;
static int f(int r) { n += r; return r; }
int main(void) {
  int a = 1, b = a ? f(2) : f(40);
  CHECK(b == 2 && n == 2);
  b = a > 1 ? f(40) : f(3);
  CHECK(b == 3 && n == 5);
  CHECK((a ? 1 : 2) == 1 && (a - 1 ? 1 : 2) == 2);
  CHECK((a ? -1 : 1u) > 0 && sizeof(a ? 1 : 1l) == 8);
  CHECK((a ?: 9) == 1 && (a - 1 ?: 9) == 9);
  (a ? n : a), n = a ? (a ? 4 : 5) : 6;
  CHECK(n == 4);
  return 0;
}
//// the comma operator
int main(void) {
  int a = 1, b;
  b = (a++, a * 2);
  CHECK(b == 4 && a == 2);
  b = (a = 5, a += 2, a);
  CHECK(b == 7);
  CHECK(sizeof((char)1, a) == 4);
  for (a = 0, b = 9; a < b; a++, b--);
  CHECK(a == 5 && b == 4);
  return 0;
}
//// sizeof does not evaluate
static int n;
static int f(void) { return ++n; }
int main(void) {
  char a[7]; int i = 0;
  CHECK(sizeof a == 7 && sizeof(a) / sizeof a[0] == 7);
  CHECK(sizeof(i++) == 4 && i == 0);
  CHECK(sizeof(f()) == 4 && n == 0);
  CHECK(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8);
  CHECK(sizeof(&a) == 8 && sizeof(a + 0) == 8 && sizeof(int[3][2]) == 24);
  CHECK(sizeof(i) - 5 > 0 && -1 > sizeof i);
  return 0;
}
//// enumerations
enum e { A, B = 5, C, D = -2, E, F = B * 2 + 'a' };
enum big { G = 0x80000000u };
int main(void) {
  enum e x = C;
  CHECK(A == 0 && B == 5 && C == 6 && D == -2 && E == -1 && F == 107);
  CHECK(x == 6 && sizeof x == 4);
  x = D;
  CHECK(x < 0);
  enum { L = 3 } y = L;
  CHECK(y - 4 == -1 || y - 4 > 0);
  CHECK(G > 0 && sizeof(enum big) == 4);
  CHECK(sizeof(A) == 4 && -1 < A);
  { enum { A = 9 }; CHECK(A == 9); }
  CHECK(A == 0);
  return 0;
}
//// generic selection
int i; const int ci = 1; unsigned char uc; long l; char ch; int a[3];
int main(void) {
  CHECK(_Generic(i, int: 1, default: 0));
  CHECK(_Generic(uc, unsigned char: 1, default: 0) && _Generic(+uc, int: 1, default: 0));
  CHECK(_Generic(i + l, long: 1, default: 0) && _Generic(ch, signed char: 0, char: 1, default: 0));
  CHECK(_Generic(&ci, const int *: 1, int *: 0, default: 0) && _Generic(ci, int: 1, default: 0));
  CHECK(_Generic(a, int *: 1, default: 0) && _Generic(&a, int (*)[3]: 1, default: 0));
  CHECK(_Generic(i < l, int: 1, default: 0) && _Generic(sizeof i, unsigned long: 1, default: 0));
  CHECK(_Generic(i++, long: 5, default: 6) == 6 && i == 0);
  return 0;
}
//// bitwise operators
int a = 12, b = 10; unsigned char c = 0xf0; long w = -1;
int main(void) {
  CHECK((a & b) == 8 && (a | b) == 14 && (a ^ b) == 6);
  CHECK(~a == -13 && ~c == -241);
  CHECK((c & 0x3c) == 0x30 && (c | 15) == 255);
  CHECK((w & 0xffffffffu) == 4294967295);
  CHECK((a & b | 1 ^ 3) == 10);
  CHECK(!a == 0 && !!a == 1 && !0 == 1);
  return 0;
}
//// precedence and association
int main(void) {
  int a = 2, b = 3, c = 4;
  CHECK(a + b * c == 14 && (a + b) * c == 20);
  CHECK(10 - b - c == 3 && 100 / 10 / 5 == 2 && 7 % 4 * 2 == 6);
  CHECK((a < b == 1) && (1 | 2 & 0) == 1 && (1 << 2 + 1) == 8);
  CHECK(-a * b == -6 && !a + 1 == 1 && ~a + 1 == -2);
  CHECK((a = b = c) == 4 && a == 4 && b == 4);
  CHECK((1 ? 2 : 0 ? 3 : 4) == 2 && (0 ? 1 : 0 ? 2 : 3) == 3);
  CHECK((a == 4 || a && 0) == 1);
  return 0;
}
//// what stays inside the language
int most = 2147483647, least = -2147483647 - 1, zero, n = 31; unsigned char c = 255; unsigned u = 1; long long w = 1;
int main(void) {
  CHECK(most - 1 + 1 == most && least + 1 - 1 == least);
  CHECK(-(least + 1) == most && -most == least + 1);
  CHECK(least / 2 == -1073741824 && least % 2 == 0 && least / 1 == least && most / -1 == -most);
  CHECK((1 << 30) == 1073741824 && (u << n) == 2147483648u && (w << 62) > 0 && (least >> n) == -1);
  CHECK(46340 * 46340 == 2147395600 && most * -1 == -most && (long long)most * most == 4611686014132420609);
  CHECK((short)most == -1 && (unsigned)most + 1 == 2147483648u && (unsigned)least - 1 == 2147483647u);
  CHECK(!(zero && 1 / zero) && (1 || 1 / zero) && (zero ? 1 / zero : 1) && sizeof(1 / zero) == 4);
  c++;
  CHECK(c == 0);
  CHECK(u - 2 == 4294967295u && -u == 4294967295u);
  CHECK(most + (long long)1 == 2147483648 && (most | 1) - 1 == 2147483646);
  return 0;
}
