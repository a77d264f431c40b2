// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { (0, reach_error)(); return 0; }
