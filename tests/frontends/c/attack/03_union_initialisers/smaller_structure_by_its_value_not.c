// expect: safe-or-unknown  truth: argued
extern void reach_error(void);
struct one { char a; } given = {7};
int main(void) {
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        union { int i; struct one s; } u = {.s = given};
        sum += u.i;
        u.i = -1;
    }
    if (sum != 14) reach_error();
    return 0;
}
