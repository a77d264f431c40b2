// expect: safe
// Eight bits are left of the first unit, and the field goes to the next one.
extern void reach_error(void);
union { struct { unsigned a : 24, b : 9; } f; unsigned w[2]; } u;
int main(void) { u.f.b = 1; if (u.w[0] != 0 || u.w[1] != 1) reach_error(); return 0; }
