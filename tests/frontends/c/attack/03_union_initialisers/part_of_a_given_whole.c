// expect: unknown  truth: argued
// By DR 413 x stays 1, and so clang has it; gcc forgets it.
extern void reach_error(void);
struct pair { int x, y; };
struct outer { struct pair pair; int rest; };
int main(void) {
    struct pair given = { 1, 2 };
    struct outer made = { .pair = given, .pair.y = 7, .rest = 3 };
    if (made.pair.x != 1) reach_error();
    return 0;
}
