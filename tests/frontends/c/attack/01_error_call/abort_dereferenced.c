// expect: safe
extern void reach_error(void);
extern void abort(void);
int main(void) { (*abort)(); reach_error(); return 0; }
