// expect: safe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
union { int i; char c; } u = {.i = 0x100, .c = 1};
int main(void) { if (u.i != 1) reach_error(); return 0; }
