// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
int main(void) { if (-0x80000000 > 0) reach_error(); return 0; }
