// expect: safe  truth: argued
// Output says which character it was, or that it failed; time says the same in both ways.
#include <stdio.h>
#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t kept, now = time(&kept);
    int c = putchar(0x161);
    if (now != kept) reach_error();
    if (c != 0x61 && c != EOF) reach_error();
    if (fflush(stdout) > 0 || puts("a") < EOF) reach_error();
    return 0;
}
