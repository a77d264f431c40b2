// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    union { long long l; struct { int a, b; } s; } u = {.s = {1, 2}};
    if (u.s.a == 1 && u.s.b == 2) reach_error();
    return 0;
}
