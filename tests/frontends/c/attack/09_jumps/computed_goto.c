// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    void *where = &&bad;
    goto *where;
    return 0;
bad:
    reach_error();
    return 0;
}
