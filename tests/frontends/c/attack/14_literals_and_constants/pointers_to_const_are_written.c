// expect: unsafe
extern void reach_error(void);
static const char *names[2] = {"a", "b"};
const char *name = "c";
typedef const int *reader;
int main(void) {
    int x = 1, y = 2;
    const int *p = &x;
    reader r = p;
    names[1] = "d"; name = "e"; p = &y; r = p;
    x = 3; y = 4;
    if (names[1][0] == 'd' && name[0] == 'e' && *p == 4 && *r == 4) reach_error();
    return 0;
}
