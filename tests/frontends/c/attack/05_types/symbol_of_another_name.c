// expect: safe-or-unknown
extern void reach_error(void);
int renamed(int) __asm__("the_same");
int the_same(int x) { return x + 7; }
int main(void) {
    if (renamed(1) != 8) reach_error();
    return 0;
}
