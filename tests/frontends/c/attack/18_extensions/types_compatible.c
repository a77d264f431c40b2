// expect: safe
extern void reach_error(void);
int v[2];
int main(void) { if (__builtin_types_compatible_p(__typeof__(v), __typeof__(&v[0]))) reach_error();
  if (!__builtin_types_compatible_p(const int, int)) reach_error(); return 0; }
