// expect: unsafe
#include <wchar.h>
extern void reach_error(void);
int main(void) {
    wchar_t w[8];
    if (wcslen(L"abc") != 3 || wcscmp(wcscpy(w, L"xy"), L"xy") || wcscmp(w, L"xz") >= 0) reach_error();
    if (wcscat(w, L"z")[2] != L'z' || wcschr(w, L'z') != w + 2 || wcschr(w, L'q')) reach_error();
    wmemset(w, L'q', 2);
    if (w[1] != L'q' || w[2] == L'z') reach_error();
    return 0;
}
