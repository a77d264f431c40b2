// expect: unsafe  truth: argued
extern void reach_error(void);
/* Undefined by the letter of C, and what compilers do without strict aliasing: the bits are those of 2.0f. */
int main(void) {
  float f = 1.0f;
  *(unsigned *)&f = 0x40000000u;
  if (f == 2.0f) reach_error();
  return 0;
}
