// expect: safe-or-unknown
extern void reach_error(void);
int snprintf(char *, unsigned long, const char *, ...);
int main(void) {
  char b[8];
  snprintf(b, sizeof b, "%.1f", 2.5);
  if (b[0] != '2' || b[3] != 0) reach_error();
  return 0;
}
