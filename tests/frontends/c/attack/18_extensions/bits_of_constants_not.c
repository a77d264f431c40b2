// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
enum { TYPE = __builtin_bswap16(0x800) };
static int table[__builtin_popcount(15)] = { __builtin_clz(1), __builtin_ctzll(1ull << 40) };
static int more = __builtin_clrsb(-1) + __builtin_ffs(8) + __builtin_parity(7);
_Static_assert(__builtin_popcount(3) == 2, "two bits");
int main(void) {
  int x = 0;
  switch (TYPE) { case __builtin_bswap16(0x800): x = 1; }
  if ((x && sizeof table == 16 && table[0] == 31 && table[1] == 40 && more == 36)) reach_error();
  return 0;
}
