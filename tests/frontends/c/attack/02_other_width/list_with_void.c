// expect: safe-or-unknown
extern void reach_error(void);
struct node { void *data; short tag; };
int main(void) { int x = 1; struct node n = {&x, 5}; int *p = n.data; *p = 2; if (n.tag != 5 || x != 2) reach_error(); return 0; }
