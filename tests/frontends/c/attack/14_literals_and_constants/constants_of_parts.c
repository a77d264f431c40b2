// expect: safe  truth: argued
// Parts of const objects: gcc takes them for constants, clang some of them.
extern void reach_error(void);
static const struct { int x, y[2]; } pair = { 1, { 2, 3 } };
static const int row[3] = { 4, 5 };
static int member = pair.y[1], element = row[1], rest = row[2];
static char letter = "hello"[1];
int main(void) {
  if (member != 3 || element != 5 || rest != 0 || letter != 'e') reach_error();
  return 0;
}
