// expect: unsafe
extern void reach_error(void);
int main(void) {
    /* The first of the roundings gives the middle of two numbers, the second one the even of these. */
    double twice = 1.00000000000000011102230246251565404237L, once = 1.00000000000000011102230246251565404237;
    if (!(once == 1.0000000000000002)) reach_error();
    if (twice == 1) reach_error();
    return 0;
}
