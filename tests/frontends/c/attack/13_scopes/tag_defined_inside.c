// expect: unsafe-or-unknown
extern void reach_error(void);
struct S { int a, b; };
int main(void) {
    struct S outer;
    { struct S { char c; }; struct S inner; if (sizeof inner == 1 && sizeof outer == 8) reach_error(); }
    return 0;
}
