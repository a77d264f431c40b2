// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
typedef int (*thrd_start_t)(void *);
extern int thrd_create(unsigned long *, thrd_start_t, void *);
static int h(void *x) { reach_error(); return 0; }
int main(void) { unsigned long t; thrd_create(&t, (thrd_start_t)h, 0); return 0; }
