// expect: unsafe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
union { int i; struct { int low : 4, high : 12; }; char q[4]; } u = {.low = 3, .high = 7};
int main(void) { if (u.i == 0x73) reach_error(); return 0; }
