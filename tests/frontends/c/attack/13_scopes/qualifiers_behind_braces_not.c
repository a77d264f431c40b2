// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
struct s { int a; } const static one = { 4 };
enum e { A, B } static two = B;
union { int a; } const three = { 2 };
int main(void) {
  if ((one.a == 4 && two == 1 && three.a == 2)) reach_error();
  return 0;
}
