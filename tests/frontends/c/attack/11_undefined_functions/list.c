// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct node { struct node *next; int value; };
extern void set(struct node *);
int main(void) { struct node b = {0, 1}, a = {&b, 2}; set(&a); if (b.value == 42) reach_error(); return 0; }
