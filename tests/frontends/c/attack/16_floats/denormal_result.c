// expect: safe
extern void reach_error(void);
int main(void) {
  float f = 0x1p-126f;
  int i;
  for (i = 0; i < 23; i++) f /= 2;
  if (f == 0 || f / 2 != 0) reach_error();
  return 0;
}
