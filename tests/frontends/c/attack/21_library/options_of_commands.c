// expect: safe-or-unknown
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>
extern void reach_error(void);
int main(void) {
    char *words[] = {"a", "-x", 0};
    if (getopt(2, words, "x") != 'x') reach_error();
    if (localeconv()->decimal_point[0] != '.') reach_error();
    if (mblen("a", 1) != 1 || wcstol(L"12", 0, 10) != 12) reach_error();
    return 0;
}
