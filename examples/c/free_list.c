/* Expected verdict: SAFE
 *
 * A list of three nodes from malloc is turned round in place, with pointers only. Memory is modelled by the type of what
 * lies there; a pointer that leads elsewhere would make the verdict UNKNOWN, not SAFE.
 */
extern void *malloc(unsigned long size);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof(struct node));
    node->value = value;
    node->next = list;
    return node;
}

int main(void) {
    struct node *list = 0, *turned = 0;
    for (int i = 1; i <= 3; i++)
        list = push(list, i);
    while (list) {
        struct node *next = list->next;
        list->next = turned;
        turned = list;
        list = next;
    }
    int expected = 1;
    for (struct node *node = turned; node; node = node->next) {
        if (node->value != expected)
            reach_error();
        expected++;
    }
    if (expected != 4)
        reach_error();
    return 0;
}
