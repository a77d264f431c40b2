// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (L'\u00e9' == 233 && sizeof "\u00e9" == 3) reach_error(); return 0; }
