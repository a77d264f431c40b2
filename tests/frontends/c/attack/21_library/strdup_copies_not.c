// expect: safe
extern void reach_error(void);
char *strdup(const char *);
int main(void) {
  char s[4] = "abc"; char *p = strdup(s);
  s[0] = 'x';
  if (p[0] != 'a' || p[2] != 'c') reach_error();
  return 0;
}
