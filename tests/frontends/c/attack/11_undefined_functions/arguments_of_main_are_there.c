// expect: safe  models: LP64 ILP32  truth: argued
extern void reach_error(void);
int main(int count, char *given[]) {
    if (!given || count < 0) reach_error();
    return 0;
}
