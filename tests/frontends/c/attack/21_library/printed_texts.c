// expect: safe  truth: argued  property: G valid-deref
#include <stdio.h>
int main(int count, char **given) {
    char text[3] = "ab", open[2] = { 'a', 'b' };
    int n = 2;
    printf("%s %d %p %.2s %.*s %5.1f\n", text, n, (void *)&n, open, n, open, 1.5);
    fprintf(stderr, "%-5s|%*d\n", count > 1 ? text : "none", 3, n);
    puts(text);
    fputs(text, stdout);
    perror(text);
    return 0;
}
