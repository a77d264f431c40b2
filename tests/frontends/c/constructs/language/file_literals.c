// item: compound literals, at file level and in functions
#include <assert.h>

struct limits { int low, high; const char *unit; };
struct channel { const char *name; struct limits *limits; const int *steps; };

static struct channel channels[] = {
    { "level", &(struct limits){ 0, 100, "%" }, (int[]){ 1, 5, 10, 0 } },
    { "heat", &(struct limits){ .high = 90, .low = -20, .unit = "C" }, (int[4]){ [2] = 7 } },
};

static int within(const struct limits *l, int value)
{
    return value >= l->low && value <= l->high;
}

int main(void)
{
    channels[0].limits->high = 120; /* an object like any other */
    assert(within(channels[0].limits, 110) && !within(channels[1].limits, 110));
    assert(within(&(struct limits){ -1, 1 }, 0));
    assert(channels[1].limits->unit[0] == 'C' && channels[0].steps[2] == 10);
    int total = 0;
    for (int i = 0; i < 4; i++)
        total += channels[1].steps[i];
#ifdef UNSAFE
    assert(total == 0);
#else
    assert(total == 7);
#endif
    return 0;
}
