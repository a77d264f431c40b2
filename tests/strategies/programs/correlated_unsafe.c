extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int flag = __VERIFIER_nondet_int(), held = 0;
  if (flag > 0) held = 1;
  if (flag != 0) {
    if (held != 1) reach_error();
  }
  return 0;
}
