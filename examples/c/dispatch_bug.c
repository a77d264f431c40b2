/* Expected verdict: UNSAFE
 *
 * Commands of a small protocol, in a table of functions. One of them forgets that the session may have been closed; the
 * counterexample shows which functions were called, and what they wrote through the pointer.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct session {
    int open;
    int writes;
};

typedef void (*command)(struct session *);

static void do_open(struct session *s) { s->open = 1; }
static void do_close(struct session *s) { s->open = 0; }
static void do_write(struct session *s) { s->writes++; }

static const command table[3] = { do_open, do_close, do_write };

int main(void) {
    struct session session = { 0, 0 };
    for (int step = 0; step < 3; step++) {
        int n = __VERIFIER_nondet_int();
        if (n < 0 || n >= 3)
            continue;
        int before = session.writes;
        table[n](&session);
        if (session.writes > before && !session.open)
            reach_error();
    }
    return 0;
}
