// expect: safe  models: LP64 ILP32
extern void reach_error(void);
int main(void) {
  if (!('\E' == 27 && '\e' == 27 && "\E[0m"[0] == 27 && sizeof "\E[0m" == 5)) reach_error();
  return 0;
}
