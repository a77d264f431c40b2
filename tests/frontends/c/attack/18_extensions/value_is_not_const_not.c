// expect: unsafe
extern void reach_error(void);
struct s { int x; };
const int one = 1;
const struct s all = { 1 };
int main(void) {
    __auto_type a = one;
    typeof(({ all; }).x) b = one;
    typeof((0, one)) c = one;
    a++, b++, c++;
    if (a + b + c == 6) reach_error();
    return 0;
}
