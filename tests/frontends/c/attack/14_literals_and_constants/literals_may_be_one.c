// expect: unsafe-or-unknown  truth: argued  ledger: address|literal
// Whether equal literals are one object is open.
extern void reach_error(void);
int main(void) { const char *a = "abc", *b = "abc"; if (a != b) reach_error(); return 0; }
