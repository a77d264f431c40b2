// expect: safe-or-unknown  truth: argued
// Two elements 2^32 apart are two; no machine of the tests has the memory to show it.
extern void reach_error(void);
char c[5000000000];
int main(void) {
  c[0] = 1;
  c[1UL << 32] = 2;
  if (c[0] != 1) reach_error();
}
