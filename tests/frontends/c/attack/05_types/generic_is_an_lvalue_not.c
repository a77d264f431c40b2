// expect: unsafe
extern void reach_error(void);
#define OF(x) _Generic(&(x), int *: i, long *: l)
struct s { int a, b; } t = { 3, 4 };
int i, table[] = { 5, 6 };
long l;
int twice(int x) { return 2 * x; }
long thrice(long x) { return 3 * x; }
int main(void) {
    int here = 0;
    long there = 0;
    OF(here) = 5, OF(there) += 7, OF(here)++;
    int *at = &OF(here);
    const char text[] = _Generic(1, int: "four");
    int sum = _Generic(here, int: twice, long: thrice)(2) + _Generic(there, int: twice, long: thrice)(2);
    if (*at == 6 && l == 7 && sum == 10 && sizeof text == 5 && _Generic(1, int: table)[1] + (0, t).b == 10) reach_error();
    return 0;
}
