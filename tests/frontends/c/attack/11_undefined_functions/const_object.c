// expect: safe-or-unknown  truth: argued
// An object that is defined const keeps its value whatever is called.
extern void reach_error(void);
extern void look(const int *);
static const int limit = 3;
int main(void) { look(&limit); if (limit != 3) reach_error(); return 0; }
