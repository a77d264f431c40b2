// expect: safe-or-unknown
extern void reach_error(void);
extern int rand(void);
volatile int clock;
static int next(void) { static int count; return ++count; }
int main(void) {
#ifdef __clang__
    int given[3] = { 1, 1, 1 }, read[2] = { 0, 0 };
#else
    int given[3] = { [0 ... 2] = next() }, read[2] = { [0 ... 1] = clock };
#endif
    if (given[0] != given[2]) reach_error();
    if (read[0] != read[1]) reach_error();
    return 0;
}
