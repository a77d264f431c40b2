// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct operations { struct operations *next; void (*run)(void); };
static void h(void) { reach_error(); }
extern void reg(struct operations *);
int main(void) { struct operations b = {0, h}, a = {&b, 0}; reg(&a); return 0; }
