// expect: unsafe-or-unknown
// gnu11 leaves trigraphs alone: the string has four characters and no backslash.
extern void reach_error(void);
int main(void) { if (sizeof("??/n") == 5) reach_error(); return 0; }
