// expect: unsafe-or-unknown  truth: argued
// Bits that no field has may be anything.
extern void reach_error(void);
int main(void) { union { struct { unsigned a : 3; } f; unsigned char b; } u; u.f.a = 1; if (u.b != 1) reach_error(); return 0; }
