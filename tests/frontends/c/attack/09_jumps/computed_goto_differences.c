// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    static const int way[] = {&&a - &&a, &&b - &&a};
    goto *(&&a + way[1]);
a:  return 0;
b:  reach_error();
    return 0;
}
