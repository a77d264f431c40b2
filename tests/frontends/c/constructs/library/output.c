// item: `stdio.h`: output is left out, what it prints into a buffer is not
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int report(char *line, size_t room, const char *name, int value)
{
    printf("%s: %d\n", name, value);
    fprintf(stderr, "%5.2f %p\n", value / 3.0, (void *)line);
    return snprintf(line, room, "%-4s|%04x|%+d", name, (unsigned)value, -value);
}

int main(void)
{
    char line[16];
    int length = report(line, sizeof line, "ab", 47);
    puts(line);
    assert(length == 13 && strcmp(line, "ab  |002f|-47") == 0);
    char tag[4];
    length = sprintf(tag, "%c%d", 'A' + 1, 12);
#ifdef UNSAFE
    assert(length == 4);
#else
    assert(length == 3 && tag[0] == 'B' && tag[3] == 0);
#endif
    return 0;
}
