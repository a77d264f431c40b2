// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) {
    void *where = &&again;
    int rounds = 0;
again: {
        int fresh = 0;
        fresh++;
        rounds++;
        if (fresh == 1 && rounds == 3) reach_error();
        if (rounds < 5) goto *where;
    }
    return 0;
}
