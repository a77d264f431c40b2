// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
volatile int v; int main(void) { switch (v) { case 3: if (v == 4) reach_error(); } return 0; }
