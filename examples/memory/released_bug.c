/* Expected verdict: UNSAFE
 * Property: valid-memsafety
 *
 * As released.c, but a node that holds 7 is not given back, and lost.
 */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof(struct node));
        node->value = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *rest = list->next;
        if (list->value != 7)
            free(list);
        list = rest;
    }
    return 0;
}
