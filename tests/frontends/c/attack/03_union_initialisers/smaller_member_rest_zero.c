// expect: safe-or-unknown
// A static union has the bytes that are not mentioned at zero.
extern void reach_error(void);
union { char c; int i; } u = {1};
int main(void) { if (u.i != 1) reach_error(); return 0; }
