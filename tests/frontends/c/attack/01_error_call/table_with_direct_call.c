// expect: unsafe-or-unknown
extern void reach_error(void);
static void nothing(void) {}
static void (*const table[2])(void) = {nothing, reach_error};
int main(void) {
    int i = 0;
    if (i) reach_error();
    table[i + 1]();
    return 0;
}
