// expect: unknown  models: LP64 ILP32  truth: argued  ledger: does not name are zero
extern void reach_error(void);
int main(void) {
    union { unsigned char c; struct { unsigned low : 4; } s; } u = {.s.low = 3};
    if (u.c != 3) reach_error();
    return 0;
}
