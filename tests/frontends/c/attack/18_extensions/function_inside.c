// expect: unknown  truth: argued
// What clang does not know: refused by its name.
extern void reach_error(void);
int main(void) {
    int x = 2;
    int add(int y) { return x + y; }
    if (add(3) != 5) reach_error();
    return 0;
}
