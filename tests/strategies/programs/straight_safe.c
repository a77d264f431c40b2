extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 0;
  int y = x + 2;
  if (y == 3) reach_error();
  return 0;
}
