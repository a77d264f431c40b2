// expect: unsafe-or-unknown
extern void reach_error(void);
struct { unsigned n : 3, m : 32; } s;
int main(void) {
    __typeof__(s.n + 0) x = -1; __typeof__(s.m + 0) y = -1;
    if (x < 0 && y > 0 && _Generic(+s.n, int: 1, default: 0)) reach_error();
    return 0;
}
