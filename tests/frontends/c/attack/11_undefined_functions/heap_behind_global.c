// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void run(void);
struct node { struct node *next; int value; } *head;
int main(void) {
    struct node *n = malloc(sizeof *n);
    n->next = 0; n->value = 0; head = n;
    run();
    if (n->value == 42) reach_error();
    return 0;
}
