// expect: unsafe
extern void reach_error(void);
extern long time(long *);
int main(void) { time(0); reach_error(); return 0; }
