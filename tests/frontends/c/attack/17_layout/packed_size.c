// expect: unsafe
extern void reach_error(void);
struct __attribute__((packed)) s { char c; int i; };
int main(void) { if (sizeof(struct s) == 5) reach_error(); return 0; }
