// expect: unsafe-or-unknown
extern void reach_error(void);
union { float f; unsigned u; } u = {1.0f};
int main(void) { if (u.u != 0) reach_error(); return 0; }
