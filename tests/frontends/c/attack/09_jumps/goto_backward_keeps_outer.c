// expect: safe
extern void reach_error(void);
int main(void) {
    int x = 0;
again:
    x++;
    if (x < 3) goto again;
    if (x != 3) reach_error();
    return 0;
}
