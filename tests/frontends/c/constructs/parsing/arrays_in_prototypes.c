// item: `int a[*]` in prototypes; parameters with static and qualifiers
#include <assert.h>

int total(int rows, int columns, int a[*][*]);
int first(const int a[static 2], int (*rows)[*]);
int main(int argc, char *argv[const]);

int total(int rows, int columns, int a[rows][columns])
{
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            sum += a[i][k];
    return sum;
}

int first(const int a[static const restrict 2], int (*rows)[3])
{
    return a[0] + rows[1][2];
}

int main(int argc, char *argv[const])
{
    int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    assert(first(grid[0], grid) == 7);
#ifdef UNSAFE
    assert(total(2, 3, grid) == 15);
#else
    assert(total(2, 3, grid) == 21);
#endif
    return 0;
}
