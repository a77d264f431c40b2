// expect: unsafe-or-unknown  truth: argued  ledger: address|literal
extern void reach_error(void);
int main(void) { const char *a = "abc", *b = "abc"; if (a == b) reach_error(); return 0; }
