// expect: unsafe-or-unknown
extern void reach_error(void);
enum e { LARGE = 0x100000000 };
int main(void) { if (_Generic((enum e)0, unsigned long: 1, default: 0)) reach_error(); return 0; }
