// expect: safe
extern void reach_error(void);
typedef int narrow __attribute__((aligned(2)));
typedef int wide __attribute__((aligned(16)));
typedef wide again;
int main(void) {
  if (_Alignof(narrow) != 2 || _Alignof(wide) != 16 || _Alignof(again) != 16 || __alignof__(wide) != 16) reach_error();
  return 0; }
