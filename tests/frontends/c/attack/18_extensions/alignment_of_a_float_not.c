// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
typedef struct { char c; __float128 f __attribute__((__aligned__(__alignof(__float128)))); } most;
typedef struct { char c; long double l __attribute__((aligned(__alignof__(long double)))); } least;
int main(void) {
  if (sizeof(most) == 32 || __alignof__(most) != 16 || sizeof(least) != (sizeof(long) == 8 ? 32 : 16)) reach_error();
  return 0; }
