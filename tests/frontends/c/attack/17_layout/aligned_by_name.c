// expect: unsafe
extern void reach_error(void);
typedef char wide __attribute__((aligned(8)));
struct s { char c; wide d; };
int main(void) { if (sizeof(struct s) == 16) reach_error(); return 0; }
