// expect: safe-or-unknown
extern void reach_error(void);
struct base { int kind; };
struct derived { struct base base; short value; };
static void set(struct base *b) { ((struct derived *)b)->value = 2; }
int main(void) { struct derived d = {{1}, 1}; set(&d.base); if (d.base.kind != 1 || d.value != 2) reach_error(); return 0; }
