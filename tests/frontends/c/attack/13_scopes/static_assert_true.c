// expect: safe-or-unknown
extern void reach_error(void);
_Static_assert(sizeof(char) == 1, "a program");
int main(void) { return 0; }
