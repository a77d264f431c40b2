// expect: unsafe
extern void reach_error(void);
int main(void) {
  unsigned long long n = 0xffffffffffffffffull;
  long long m = -1;
  if ((double)n == 18446744073709551616.0 && (float)m == -1.0f && (float)(unsigned char)m == 255.0f) reach_error();
  return 0;
}
