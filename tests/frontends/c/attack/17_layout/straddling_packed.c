// expect: safe-or-unknown
extern void reach_error(void);
union { struct { unsigned a : 24, b : 9; } __attribute__((packed)) f; unsigned w[2]; } u;
int main(void) { u.f.b = 257; if (u.w[0] != 0x1000000 || u.w[1] != 1) reach_error(); return 0; }
