// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (sizeof u"😀" == 6) reach_error(); return 0; }
