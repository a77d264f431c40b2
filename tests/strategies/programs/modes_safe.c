extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int mode = 0;
  while (1) {
    int event = __VERIFIER_nondet_int();
    if (mode == 0 && event == 1) mode = 1;
    else if (mode == 1 && event == 2) mode = 2;
    else if (mode == 2) mode = 0;
    if (mode == 3) reach_error();
  }
  return 0;
}
