// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
int main(void) {
  int x = ({ 7; ; });
  if ((x == 7)) reach_error();
  return 0;
}
