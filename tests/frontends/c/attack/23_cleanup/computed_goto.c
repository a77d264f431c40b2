// expect: unknown  truth: argued
// gcc calls no cleanup where a computed goto leaves the block, clang takes it for an error.
extern void reach_error(void);
int g;
void c(int *p) { g += *p; }
int main(void) {
    void *where[] = { &&out };
    {
        int x __attribute__((cleanup(c))) = 1;
        goto *where[0];
    }
out:
    if (g != 0) reach_error();
    return 0;
}
