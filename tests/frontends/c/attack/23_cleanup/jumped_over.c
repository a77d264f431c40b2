// expect: unknown  truth: argued
// What compilers do differs: gcc calls c at the end of the block all the same, clang takes this for an error.
extern void reach_error(void);
int g;
void c(int *p) { g++; }
int main(int count, char **arguments) {
    if (count > 100) goto in;
    {
        int x __attribute__((cleanup(c))) = 3;
    in:
        g += 0;
    }
    if (g != 1) reach_error();
    return 0;
}
