// expect: unsafe-or-unknown
extern void reach_error(void);
static void *next;
static int step(void) {
    if (next) goto *next;
    next = &&second;
    return 1;
second:
    next = &&third;
    return 2;
third:
    return 3;
}
int main(void) { step(); step(); if (step() == 3) reach_error(); return 0; }
