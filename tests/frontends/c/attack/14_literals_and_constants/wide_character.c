// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (L'é' == 233) reach_error(); return 0; }
