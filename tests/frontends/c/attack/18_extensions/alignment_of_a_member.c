// expect: unsafe-or-unknown
extern void reach_error(void);
struct s { char c __attribute__((aligned(16))); char d; };
int main(void) { struct s v; if (__alignof__(v.c) == 16) reach_error(); return 0; }
