// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if ('\xff' == -1 && sizeof "\x41" "1" == 3) reach_error(); return 0; }
