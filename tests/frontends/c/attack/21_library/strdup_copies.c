// expect: unsafe
extern void reach_error(void);
char *strdup(const char *), *strndup(const char *, unsigned long);
int main(void) {
  char s[4] = "abc"; char *p = strdup(s), *q = strndup(s, 2);
  s[0] = 'x';
  if (p != s && p[0] == 'a' && p[3] == 0 && q[1] == 'b' && q[2] == 0) reach_error();
  return 0;
}
