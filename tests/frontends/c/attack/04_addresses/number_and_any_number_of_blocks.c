// expect: safe  truth: argued
// What makes the model grow, and a number that is any, come together; the lock is free whenever it is taken.
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);
struct s { int lock, k; };
int is_error(const void *p) { return (unsigned long)p > (unsigned long)-4095; }
int main(void) {
    int locked = 0;
    while (__VERIFIER_nondet_int()) {
        struct s *p = malloc(sizeof *p);
        if (is_error(p)) break;
        if (locked) reach_error();
        locked = 1;
        p->k = 1;
        *(int *)((unsigned long)p + 4) = 2;
        locked = 0;
    }
    return 0;
}
