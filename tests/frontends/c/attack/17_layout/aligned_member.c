// expect: unsafe
extern void reach_error(void);
struct s { char c __attribute__((aligned(16))); char d; };
int main(void) { if (sizeof(struct s) == 16) reach_error(); return 0; }
