// item: `__func__` and its relatives
#include <assert.h>
#include <string.h>

#define HERE __FILE__ ":" "x"
static const char *last;
static int last_line;
#define TRACE() (last = __func__, last_line = __LINE__)

static int opened(void) { TRACE(); return sizeof __func__; }
static void closed_again(void) { TRACE(); }

int main(void)
{
    int size = opened();
    assert(size == 7 && strcmp(last, "opened") == 0);
    int before = last_line;
    closed_again();
    assert(last_line == before + 1 && strcmp(__FUNCTION__, "main") == 0);
#ifdef UNSAFE
    assert(strlen(last) == 6);
#else
    assert(last[6] == '_' && last[12] == 0);
#endif
    return 0;
}
