// expect: safe  models: LP64 ILP32
extern void reach_error(void);
struct s { char c; short t; } v, *p = &v;
int main(void) {
  short x = 1;
  if (_Alignof x + 1 != 3 || __alignof v.c != 1 || __alignof__ p->t != 2 || _Alignof *p != 2 || _Alignof -x != 4) reach_error();
  return 0; }
