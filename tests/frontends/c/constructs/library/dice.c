// item: `stdlib.h`: `rand` gives any number that is not negative  truth: argued
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int seen[6] = { 0 };
    srand(1);
    for (int i = 0; i < 3; i++) {
        int die = rand() % 6;
        seen[die]++;
    }
    int total = 0;
    for (int i = 0; i < 6; i++)
        total += seen[i];
#ifdef UNSAFE
    assert(seen[5] < 3);
#else
    assert(total == 3);
#endif
    return 0;
}
