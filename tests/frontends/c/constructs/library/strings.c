// item: `string.h`: copies and comparisons
#include <assert.h>
#include <stddef.h>
#include <string.h>

struct record { char name[6]; char unit[4]; };

static void named(struct record *r, const char *name)
{
    strncpy(r->name, name, sizeof r->name - 1);
    r->name[sizeof r->name - 1] = '\0';
    strcpy(r->unit, "mm");
}

int main(void)
{
    struct record a, b;
    char path[9] = "/d";
    named(&a, "pressure");
    named(&b, "pres");
    strcat(path, "/");
    strncat(path, b.name, 2);
    assert(strlen(a.name) == 5 && strcmp(path, "/d/pr") == 0);
    assert(strcmp(a.name, b.name) > 0 && strncmp(a.name, b.name, 4) == 0);
    b = a;
    assert(!memcmp(&a.unit, &b.unit, 3));
#ifdef UNSAFE
    assert(strcmp(a.name, "pressure") == 0);
#else
    assert(strcmp(b.name, "press") == 0);
#endif
    return 0;
}
