// item: initialisers: `[a ... b] =`, `[1] 42`, `{ z: 1 }`, excess elements, designators of parts
#include <assert.h>

struct point { int x, y, z; };
enum { OTHER, DIGIT, LETTER };

static const unsigned char classes[256] = {
    ['0' ... '9'] = DIGIT, ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER
};
static int older[4] = { [1] 42, [3] 7 };
static struct point up = { z: 1 };
static struct point path[2] = { [1].y = 5, [0] = { 1, 2 } };
static int few[2] = { 1, 2, 3 };
static char name[3] = "abc";

int main(void)
{
    struct point moved = { .y = 3, 4, .x = 1 };
    assert(classes['7'] == DIGIT && classes['q'] == LETTER && classes['{'] == OTHER);
    assert(older[1] == 42 && older[2] == 0 && older[3] == 7 && up.z == 1 && up.x == 0);
    assert(path[1].y == 5 && path[0].y == 2 && few[1] == 2 && name[2] == 'c');
#ifdef UNSAFE
    assert(moved.z == 0);
#else
    assert(moved.x == 1 && moved.y == 3 && moved.z == 4);
#endif
    return 0;
}
