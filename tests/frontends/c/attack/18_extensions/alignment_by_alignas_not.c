// expect: unsafe
extern void reach_error(void);
_Alignas(32) char whole[4];
extern _Alignas(16) char other[];
_Alignas(16) char other[8];
char third[3] __attribute__((aligned(64)));
int main(void) {
  _Alignas(double) char part[8];
  static _Alignas(16) _Alignas(4) int once;
  if (_Alignof(whole) == 32 && _Alignof(part) == 8 && _Alignof(once) == 16 && __alignof__(other) == 16 && _Alignof(third) == 64) reach_error();
  return 0; }
