// expect: unsafe
extern void reach_error(void);
typedef struct { _Bool value; } flag;
flag f;
int main(void) { if (!__atomic_test_and_set(&f, 5) && __atomic_test_and_set(&f, 5)) reach_error(); return 0; }
