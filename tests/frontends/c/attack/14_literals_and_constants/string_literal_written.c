// expect: safe-or-unknown  truth: argued  ledger: string literal
// Undefined (6.4.5p7); the execution does not come back from the write.
extern void reach_error(void);
int main(void) { char *s = "abc"; s[0] = 'x'; if (s[0] == 'x') reach_error(); return 0; }
