// expect: safe-or-unknown
extern void reach_error(void);
struct pair { short x, y; };
int main(void) {
    struct pair given = { 1, 2 };
    union { int i; struct pair pair; } made = { .pair = given, .i = 7 };
    if (made.i != 7) reach_error();
    return 0;
}
