/* Expected verdict: SAFE
 * Property: unreach-call
 *
 * A list of any length, built and walked through: each node holds a positive number.
 */
extern void *malloc(unsigned long size);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof(struct node));
        if (!node)
            return 0;
        int value = __VERIFIER_nondet_int();
        if (value <= 0)
            value = 1;
        node->value = value;
        node->next = list;
        list = node;
    }
    for (struct node *node = list; node; node = node->next)
        if (node->value <= 0)
            reach_error();
    return 0;
}
