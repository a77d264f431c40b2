// expect: unsafe
extern void reach_error(void);
static void take(int *p) { if (!p) reach_error(); }
int main(void) {
    void (*f)(int *) = take;
    f(0);
    return 0;
}
