// expect: unsafe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
struct s { char c; long long l; };
int main(void) { if (__alignof__(long long) == 8) reach_error(); return 0; }
