// expect: unsafe-or-unknown
extern void reach_error(void);
int snprintf(char *, unsigned long, const char *, ...);
int main(void) {
  char b[8]; int n = 5;
  snprintf(b, sizeof b, "ab%n", &n);
  if (n == 2) reach_error();
  return 0;
}
