// expect: safe-or-unknown
extern void reach_error(void);
static int run(const unsigned char *code) {
    static void *const table[] = {&&halt, &&inc, &&dbl, [3] = &&dec};
    int acc = 0;
    goto *table[*code++];
inc: acc++; goto *table[*code++];
dbl: acc *= 2; goto *table[*code++];
dec: acc--; goto *table[*code++];
halt: return acc;
}
int main(void) {
    unsigned char code[] = {1, 1, 2, 3, 2, 0};
    if (run(code) != 6) reach_error();
    return 0;
}
