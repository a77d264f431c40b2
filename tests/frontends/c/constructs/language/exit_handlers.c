// item: `atexit` and destructors, the last handler first
#include <assert.h>
#include <stdlib.h>

static int open_files = 2, trace;

static void close_log(void) { trace = trace * 10 + 1; open_files--; }
static void flush_log(void) { trace = trace * 10 + 2; open_files--; }

__attribute__((destructor)) static void all_closed(void)
{
#ifdef UNSAFE
    assert(trace == 12);
#else
    assert(trace == 21);
#endif
    assert(open_files == 0);
}

int main(void)
{
    if (atexit(close_log) || atexit(flush_log))
        abort();
    if (open_files == 2)
        exit(EXIT_SUCCESS);
    return 1;
}
