// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct s { int flag; };
volatile struct s device;
int main(void) { struct s copy; device.flag = 0; copy = device; if (copy.flag) reach_error(); return 0; }
