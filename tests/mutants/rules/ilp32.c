//// sizes of ILP32
long l = -1; unsigned u = 1; unsigned long ul = 4294967295u; long long w = -1; int *p;
int main(void) {
  CHECK(sizeof(long) == 4 && sizeof(long long) == 8 && sizeof p == 4 && sizeof(sizeof l) == 4);
  CHECK(l > u);
  CHECK(w < u);
  CHECK(ul + 1 == 0);
  CHECK(sizeof(2147483648) == 8 && _Generic(2147483648, long long: 1, default: 0));
  CHECK(_Generic(0xffffffff, unsigned: 1, default: 0) && sizeof(1l) == 4);
  struct { char c; long long l; } s;
  CHECK(sizeof s == 12);
  CHECK(l / u == 4294967295u && (l >> 1) == -1);
  return 0;
}
