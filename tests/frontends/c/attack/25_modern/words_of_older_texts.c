// expect: safe
extern void reach_error(void);
typedef enum { false = 4, true = 2 } bool;
struct parts { int nullptr, constexpr; };
int thread_local = 3;
int main(void) {
  bool b = true;
  struct parts p = {.nullptr = 5, .constexpr = 6};
  auto k = 2;
  if (!(b == 2 && sizeof(bool) == 4 && false > true && p.nullptr + p.constexpr == 11 && thread_local + k == 5)) reach_error();
  return 0; }
