// expect: unsafe-or-unknown  truth: argued
// The number goes to a pointer, and is looked at on its way.
extern void reach_error(void);
struct s { int a, b; } s;
int main(void) {
    unsigned long at = (unsigned long)&s, to = at + 4, seen = to;
    *(int *)to = 1;
    if (seen % 65536 != 4) reach_error();
    return 0;
}
