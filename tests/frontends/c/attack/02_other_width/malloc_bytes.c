// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    unsigned char *m = malloc(4);
    if (!m) return 0;
    m[0] = 1; m[1] = 1; m[2] = 0; m[3] = 0;
    if (*(int *)m == 257) reach_error();
    return 0;
}
