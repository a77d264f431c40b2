// item: X-macros: one list, an enumeration, names and functions
#include <assert.h>
#include <string.h>

#define COMMANDS(X) X(stop, 0, "halt") X(go, 1, "run") X(turn, 2, "rotate")

#define ENUMERATOR(name, arguments, text) COMMAND_##name,
enum command { COMMANDS(ENUMERATOR) COMMAND_COUNT };
#define DECLARATION(name, arguments, text) static int do_##name(int, int);
COMMANDS(DECLARATION)
#define ENTRY(name, arguments, text) [COMMAND_##name] = { #name, text, arguments, do_##name },
static const struct { const char *name, *text; int arguments; int (*run)(int, int); } table[] = { COMMANDS(ENTRY) };

static int do_stop(int a, int b) { (void)a, (void)b; return 0; }
static int do_go(int a, int b) { (void)b; return a; }
static int do_turn(int a, int b) { return a - b; }

int main(void)
{
    int result = 0;
    assert(COMMAND_COUNT == 3 && sizeof table / sizeof *table == 3);
    for (int i = 0; i < COMMAND_COUNT; i++)
        result = result * 10 + table[i].run(9, 4);
    assert(strcmp(table[COMMAND_turn].text, "rotate") == 0 && table[COMMAND_go].arguments == 1);
#ifdef UNSAFE
    assert(result == 99);
#else
    assert(result == 95);
#endif
    return 0;
}
