// expect: unsafe  truth: argued
// Some input says so.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int a = 5, b = 6;
    char word[8] = "x";
    int r = scanf("%d %2d %7s", &a, &b, word);
    if (r < -1 || r > 3) reach_error();
    if (r < 1 && a != 5) reach_error();
    if (r == 2 && (b < -9 || b > 99 || word[0] != 'x')) reach_error();
    if (r == 3 && b == -9 && word[2] == 33) reach_error();
    return 0;
}
