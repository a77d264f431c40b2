// expect: unsafe-or-unknown  truth: argued  ledger: call no function of this file
// A function of another file may call what this file exports.
extern void reach_error(void);
extern void run(void);
int done;
void finish(void) { if (done == 1) reach_error(); }
int main(void) { done = 1; run(); return 0; }
