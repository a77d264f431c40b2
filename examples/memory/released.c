/* Expected verdict: SAFE
 * Property: valid-memsafety
 *
 * A list of any length: made, list in place, and given back node by node. Nothing is followed after it was freed,
 * freed twice or lost.
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
        free(list);
        list = rest;
    }
    return 0;
}
