// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
int na\u00efve = 2, größe = 3;
int main(void) {
  if ((naïve + gr\u00f6\U000000dfe == 5)) reach_error();
  return 0;
}
