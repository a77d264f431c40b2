/* Expected verdict: SAFE
 * Property: valid-memsafety
 *
 * A queue of blocks: each is taken out once, used, and given back; what is left in the end is given back as well.
 */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);

struct message {
    int length;
    struct message *next;
};

int main(void) {
    struct message *first = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct message *message = malloc(sizeof(struct message));
        if (!message)
            break;
        message->length = __VERIFIER_nondet_int() & 15;
        message->next = first;
        first = message;
    }
    while (first) {
        struct message *message = first;
        first = message->next;
        sum += message->length;
        free(message);
    }
    return sum;
}
