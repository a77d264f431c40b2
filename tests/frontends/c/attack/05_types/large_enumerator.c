// expect: unsafe-or-unknown
// gcc: the enumeration is as wide as its largest value needs, and so are its constants after the closing brace.
extern void reach_error(void);
enum e { SMALL = 1, LARGE = 0x100000000LL };
int main(void) { enum e x = LARGE; if (x == 0x100000000LL && sizeof(enum e) == 8) reach_error(); return 0; }
