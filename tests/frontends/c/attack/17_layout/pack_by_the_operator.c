// expect: safe  models: LP64 ILP32
extern void reach_error(void);
_Pragma("pack(push, 1)")
struct s { char a; int b; };
_Pragma("pack(pop)")
struct t { char a; int b; };
int main(void) {
  _Pragma("GCC diagnostic push") int x = sizeof(struct s);
  if (!(x == 5 && sizeof(struct t) == 8)) reach_error();
  return 0;
}
