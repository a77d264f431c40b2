// expect: unsafe  truth: argued
// Any line may come.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[80];
    while (fgets(line, sizeof line, stdin))
        if (line[0] == 'q' && line[1] == '\n') reach_error();
    return 0;
}
