// expect: unsafe  truth: argued
extern void reach_error(void);
// Of C23; compilers of today do not know all of it.
static_assert(sizeof(int) == 4);
constexpr int many = 4;
static constexpr double gravity = 9.81;
thread_local int counted = 2;
alignas(16) char wide[many];
enum small : unsigned char { LEAST, MOST = 255 };
int main(void) {
  bool yes = 5, no = false;
  constexpr int twice = 2 * many;
  int *nowhere = nullptr, table[twice] = {}, nothing = {};
  const int fixed = 1;
  typeof_unqual(fixed) changed = fixed;
  auto half = 1.5;
  const auto whole = 7u;
  enum small top = MOST;
  top++;
  changed++;
  switch (8) { case twice: counted++; }
  if (yes == true && !no && nowhere == nullptr && table[7] == 0 && nothing == 0 && changed == 2 && sizeof half == 8 && whole - 8 > 0 && top == LEAST && counted == 3 && alignof(wide) == 16 && sizeof(wide) == 4 && gravity > 9) reach_error();
  return 0; }
