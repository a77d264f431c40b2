// expect: unknown-or-unreadable  truth: argued
extern void reach_error(void);
int x __attribute__((no_such_attribute_of_anybody(1)));
int main(void) { return 0; }
