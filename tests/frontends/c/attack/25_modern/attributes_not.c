// expect: unsafe  truth: argued
extern void reach_error(void);
struct [[gnu::packed]] frame { char kind; int length; };
[[maybe_unused, gnu::noinline]] static int first([[maybe_unused]] int a) { return 1; }
int main(void) {
  int n = 0;
  switch (first(2)) { case 1: n++; [[fallthrough]]; case 2: n += 2; }
  if (sizeof(struct frame) == 5 && n == 3) reach_error();
  return 0; }
