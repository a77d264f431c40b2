// expect: unsafe
extern void reach_error(void);
typedef int wide __attribute__((aligned(16)));
int main(void) { if (_Alignof(wide) == 16) reach_error(); return 0; }
