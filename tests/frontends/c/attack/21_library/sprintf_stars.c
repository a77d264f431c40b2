// expect: safe
extern int sprintf(char *, const char *, ...), strcmp(const char *, const char *);
extern void reach_error(void);
int main(void) {
    char b[24];
    int wide = 4;
    if (sprintf(b, "%*d|%-*d", wide, 42, wide, 7) != 9 || strcmp(b, "  42|7   ")) reach_error();
    if (sprintf(b, "%*d|%.*s", -3, 7, 2, "abc") != 6 || strcmp(b, "7  |ab")) reach_error();
    return 0;
}
