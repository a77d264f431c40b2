// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
int main(void) { if (sizeof 1u == 4 && sizeof 1ull == 8 && 0b101 == 5 && 010 == 8 && -1 > 0u) reach_error(); return 0; }
