// item: `stdio.h`: input is arbitrary  truth: argued
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char line[4];
    int number, c = getchar();
    assert(c == EOF || (c >= 0 && c <= 255));
    if (scanf("%d", &number) != 1)
        return 0;
    if (fgets(line, sizeof line, stdin)) {
        int length = 0;
        while (line[length])
            length++;
#ifdef UNSAFE
        assert(length < 3);
#else
        assert(length < 4);
#endif
    }
    return 0;
}
