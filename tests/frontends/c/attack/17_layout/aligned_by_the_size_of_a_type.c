// expect: unsafe
extern void reach_error(void);
typedef long long word;
struct s { char c; word data __attribute__((aligned(sizeof(word)))); };
int main(void)
{
    int x;
    int *p = &x;
    /* A program that looks at addresses as numbers is read twice. */
    unsigned long number = (unsigned long) p + 1;
    if (sizeof(struct s) == 16)
        reach_error();
    return number != 0 ? 0 : 1;
}
