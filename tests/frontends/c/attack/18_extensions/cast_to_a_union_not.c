// expect: unsafe-or-unknown
extern void reach_error(void);
union u { int i; unsigned char c[4]; };
typedef union u shared;
int main(void) {
    int k = 0;
    if (((union u)0x01020304).c[0] == 4 || ((shared)7).i != 7) reach_error();
    if (k && ((shared)(1 / k)).i) reach_error();
    return 0;
}
