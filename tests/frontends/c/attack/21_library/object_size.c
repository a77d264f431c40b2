// expect: unsafe-or-unknown  truth: argued
// What a compiler knows of the size of an object is between nothing and all of it.
extern void reach_error(void);
int a[2];
unsigned long known(int *p) { return __builtin_object_size(p, 0); }
int main(void) {
    if (known(a) == known(a + 1)) return 0;
    if (known(a) != (unsigned long)-1) reach_error();
    return 0;
}
