// expect: safe  models: LP64 ILP32
extern void reach_error(void);
struct inner { char c; short s[3]; };
struct outer { char c; struct inner i; union { long long l; int n; }; };
int main(void) {
    if (__builtin_offsetof(struct outer, i) != 2) reach_error();
    if (__builtin_offsetof(struct outer, i.s[2]) != 8) reach_error();
    if (__builtin_offsetof(struct outer, n) != __builtin_offsetof(struct outer, l)) reach_error();
    return 0;
}
