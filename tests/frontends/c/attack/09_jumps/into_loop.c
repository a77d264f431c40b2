// expect: unsafe
extern void reach_error(void);
int main(void) {
    int i = 1;
    goto inside;
    while (i < 3) {
        i = 10;
inside:
        if (i == 10) reach_error();
        i++;
    }
    return 0;
}
