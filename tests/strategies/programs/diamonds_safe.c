extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int x = 1, y = 1;
  if (a > 0) x = 2; else x = 3;
  if (a > 0) y = 2; else y = 3;
  if (x == 1) reach_error();
  if (y == 1) reach_error();
  return 0;
}
