// expect: unsafe-or-unknown
extern void reach_error(void);
int y = 3;
int __attribute__((mode(DI))) a, b = 0;
int main(void) {
    int c __attribute__((mode(QI))) = y, d = y;
    if (sizeof a == 8 && sizeof b == 8 && sizeof c == 1 && sizeof d == 4 && sizeof y == 4) reach_error();
    return 0;
}
