// expect: unsafe-or-unknown
extern void reach_error(void);
union { unsigned u; struct { unsigned low : 4, high : 4; } f; } u = {.f = {1, 2}};
int main(void) { if (u.u == 0x21) reach_error(); return 0; }
