// expect: safe
extern void reach_error(void);
int snprintf(char *, unsigned long, const char *, ...);
int main(void) {
  char b[5] = "....";
  int n = snprintf(b, sizeof b, "%s-%c%%", "hello", 'z');
  if (n != 8 || b[3] != 'l' || b[4] != 0) reach_error();
  if (snprintf(0, 0, "%d", -12) != 3) reach_error();
  return 0;
}
