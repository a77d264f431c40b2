// expect: unsafe-or-unknown
extern void reach_error(void);
struct s { char c; void (*p)(void) __attribute__((aligned(16))); };
int main(void) { if (sizeof(struct s) == 32) reach_error(); return 0; }
