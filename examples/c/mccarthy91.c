/* Expected verdict: SAFE
 *
 * McCarthy's function calls itself with its own result. However often it does so, which depends on the input, it returns
 * 91 for every number up to 101: its contract says so, and is shown with the verdict. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int f(int x) {
  if (x > 100)
    return x - 10;
  return f(f(x + 11));
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int result = f(x);
  if (x <= 101 && result != 91)
    reach_error();
  return 0;
}
