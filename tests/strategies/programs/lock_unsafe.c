extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int held = 0;
  while (__VERIFIER_nondet_int()) {
    if (held != 0) reach_error();
    held = 1;
    if (__VERIFIER_nondet_int()) held = 0;
  }
  return 0;
}
