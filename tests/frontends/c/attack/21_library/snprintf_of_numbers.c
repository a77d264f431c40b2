// expect: unsafe
extern void reach_error(void);
int sprintf(char *, const char *, ...);
int main(void) {
  char b[16];
  int n = sprintf(b, "%04x %3d|%hhu", 0xbee, -7, 257);
  if (n == 10 && b[0] == '0' && b[1] == 'b' && b[5] == ' ' && b[6] == '-' && b[7] == '7' && b[9] == '1') reach_error();
  return 0;
}
