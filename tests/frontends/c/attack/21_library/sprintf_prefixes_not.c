// expect: unsafe
extern int sprintf(char *, const char *, ...), strcmp(const char *, const char *);
extern void reach_error(void);
int main(void) {
    char b[24];
    if (sprintf(b, "%#.0o|%#06X", 0, 255) != 8 || strcmp(b, "|0X00FF")) reach_error();
    return 0;
}
