// expect: safe  models: LP64 ILP32
extern void reach_error(void);
struct { unsigned head : 4; unsigned long long wide : 40; } x;
int a[16] = { 1, 2, 3 };
/* Where the type that it is promoted to does not matter, the value of x.head++ is as good as any. */
int main(void) {
    a[x.head++] = 5;
    int q = *(a + x.head++);
    if (q != 2 || x.head != 2 || a[0] != 5) reach_error();
    x.wide--;
    --x.wide;
    if (x.wide != 0xfffffffffeull) reach_error();
    x.wide++, ++x.wide, x.wide++;
    if (x.wide != 1) reach_error();
    unsigned v = x.head++;
    if (v != 2 || x.head-- >= 4 || x.head-- == 7 || (long)x.head++ != 1) reach_error();
    return 0;
}
