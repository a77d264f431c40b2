extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x - 7;
  if (y == 35) reach_error();
  return 0;
}
