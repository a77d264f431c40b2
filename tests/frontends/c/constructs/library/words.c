// item: `string.h`: searching; words of a line as `strtok` takes them
#include <assert.h>
#include <string.h>

static int split(char *line, char *fields[], int most)
{
    int count = 0;
    for (char *word = strtok(line, " ,"); word && count < most; word = strtok(NULL, " ,"))
        fields[count++] = word;
    return count;
}

int main(void)
{
    char line[] = "set rate, 50";
    char *fields[4];
    char *value = strchr("key=val", '=');
    assert(value && strcmp(value + 1, "val") == 0);
    assert(strstr(line, "rate") == line + 4 && strrchr(line, 't') == line + 6 && !strpbrk(line, "xyz"));
    assert(strspn("0012", "0") == 2 && strcspn("a;b", ";") == 1);
    int count = split(line, fields, 4);
    assert(count == 3 && strcmp(fields[1], "rate") == 0);
#ifdef UNSAFE
    assert(fields[2] == line + 9);
#else
    assert(fields[2] == line + 10 && line[8] == '\0');
#endif
    return 0;
}
