// expect: unsafe
extern void reach_error(void);
struct s { char c; int i; };
int main(void) {
    struct s a = { 1, 2 };
    int *p = (int *)((char *)&a + __builtin_offsetof(struct s, i));
    if (*p == 2 && __builtin_offsetof(struct s, i) == 4) reach_error();
    return 0;
}
