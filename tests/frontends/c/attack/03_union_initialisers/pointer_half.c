// expect: unsafe-or-unknown
extern void reach_error(void);
union { unsigned long n; struct { unsigned char c; _Bool b; short s; int i; } s; } u[1] = {{.s = {.i = 4, .s = 3, .b = 1, .c = 1}}};
int main(void) { if (u[0].n == 0x400030101UL) reach_error(); return 0; }
