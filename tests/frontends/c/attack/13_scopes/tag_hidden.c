// expect: unsafe-or-unknown
extern void reach_error(void);
struct S { int a, b; };
int main(void) {
    struct S;
    struct S *p;
    struct S { char c; };
    if (sizeof *p == 1) reach_error();
    return 0;
}
