// expect: safe  models: LP64 ILP32
extern void reach_error(void);
struct { unsigned long long d : 40; long long e : 40; } x;
int main(void) {
    x.e = -1;
    if (x.d - 5ULL < 0 || x.e - 5LL != -6 || x.e + 1ULL != 0 || x.d + 1.5 != 1.5 || x.d == 5LL) reach_error();
    return 0;
}
