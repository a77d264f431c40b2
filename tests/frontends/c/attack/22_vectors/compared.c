// expect: safe-or-unknown
extern void reach_error(void);
typedef float v4 __attribute__((vector_size(16)));
int main(void) { v4 a, b; if (sizeof(a == b) == 4) reach_error(); return 0; }
