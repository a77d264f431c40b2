// expect: safe
extern void reach_error(void);
int x;
int is_error(const void *p) { return (unsigned long)p > (unsigned long)-4095; }
int main(void) {
    int *p = 0;
    if ((unsigned long)p) reach_error();
    if (is_error(p)) reach_error();
    p = &x;
    if (!(unsigned long)p) reach_error();
    return 0;
}
