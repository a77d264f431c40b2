// expect: safe
extern void reach_error(void);
typedef struct { _Bool value; } flag;
flag f, g; char c; _Bool d;
int main(void) {
  if (__atomic_test_and_set(&f, 5) || !__atomic_test_and_set(&f, 5)) reach_error();
  __atomic_clear(&f, 5);
  if (__atomic_test_and_set(&f, 5) || g.value || !f.value) reach_error();
  if (__atomic_test_and_set(&c, 0) || !c || __atomic_test_and_set(&d, 0) || !d) reach_error();
  __atomic_clear(&c, 0);
  if (c) reach_error();
  return 0;
}
