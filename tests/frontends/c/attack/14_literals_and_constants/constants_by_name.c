// expect: safe  models: LP64 ILP32
extern void reach_error(void);
enum { FIRST = 2 };
static const int base = FIRST + 1, more = base * 2;
static const unsigned char narrow = 300;
static const double half = 0.5;
static int object = 7;
static int *const fixed = &object;
static const char *const word = "abc";
static int sum = base + more, row[] = { base, [2] = narrow };
static int *pointer = fixed, *element = &row[base - 1];
static const char *letters = word;
static double twice = half * 4;
int main(void) {
  const int local = 4;
  int base = 100;
  static int inside = more + local;
  static struct { int size; const char *name; } table[] = { { more, "x" }, { narrow } };
  if (!(sum == 9 && row[2] == 44 && *pointer == 7 && *element == 44 && letters[1] == 'b' && twice == 2 &&
        inside == 10 && base == 100 && table[1].size == 44)) reach_error();
  return 0;
}
