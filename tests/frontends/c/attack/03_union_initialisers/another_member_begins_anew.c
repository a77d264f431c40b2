// expect: unsafe-or-unknown  models: LP64 ILP32
// What .i was given is overridden as a whole by .c, not in its lowest byte only.
extern void reach_error(void);
union { int i; char c; } u = {.i = 0x100, .c = 1};
int main(void) { if (u.i == 1) reach_error(); return 0; }
