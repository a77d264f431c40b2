// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
typedef volatile unsigned reg;
reg status;
int main(void) { while (status == 0) ; reach_error(); return 0; }
