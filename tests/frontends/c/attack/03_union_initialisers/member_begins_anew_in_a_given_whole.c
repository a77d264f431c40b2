// expect: unknown  truth: argued
// By DR 413 y stays 2, and so clang has it; gcc forgets it.
extern void reach_error(void);
struct inner { int x; };
struct pair { struct inner inner; int y; };
int main(void) {
    struct pair given = { { 1 }, 2 };
    struct { struct pair pair; int rest; } made = { .pair = given, .pair.inner = {}, .rest = 3 };
    if (made.pair.y != 2) reach_error();
    return 0;
}
