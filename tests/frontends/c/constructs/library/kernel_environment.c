// item: functions of the kernel and its benchmarks  truth: argued
typedef unsigned int gfp_t;
extern void *kmalloc(__SIZE_TYPE__ size, gfp_t flags);
extern void *kzalloc(__SIZE_TYPE__ size, gfp_t flags);
extern void kfree(const void *);
extern int printk(const char *format, ...);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
#define likely(x) __builtin_expect(!!(x), 1)

struct lock { int held; };
struct device { struct lock lock; int opened; int *buffer; };

static void lock(struct lock *l) { if (l->held) reach_error(); l->held = 1; }
static void unlock(struct lock *l) { if (!l->held) reach_error(); l->held = 0; }

static int opened(struct device *d, int mode)
{
    lock(&d->lock);
    if (d->opened) {
#ifndef UNSAFE
        unlock(&d->lock);
#endif
        return -16;
    }
    d->buffer = kmalloc(4 * sizeof(int), 0xd0u);
    d->opened = mode;
    printk("<6>opened with %d\n", mode);
    unlock(&d->lock);
    return 0;
}

int main(void)
{
    struct device *d = kzalloc(sizeof *d, 0xd0u);
    if (likely(d)) {
        while (__VERIFIER_nondet_int()) {
            int mode = __VERIFIER_nondet_int();
            __VERIFIER_assume(mode > 0);
            opened(d, mode);
        }
        kfree(d);
    }
    return 0;
}
