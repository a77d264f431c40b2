// expect: safe  truth: argued
// Whatever is read: as many targets as the result says are written, and a width bounds what they get.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int a = 5, b = 6;
    char word[8] = "x";
    int r = scanf("%d %2d %7s", &a, &b, word);
    if (r < -1 || r > 3) reach_error();
    if (r < 1 && a != 5) reach_error();
    if (r == 2 && (b < -9 || b > 99 || word[0] != 'x')) reach_error();
    if (word[7] != 0) reach_error();
    return 0;
}
