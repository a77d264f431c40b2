extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (0 < x && x < 5) {
    if (x == 0) reach_error();
  }
  return 0;
}
