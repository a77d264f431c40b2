// expect: safe-or-unknown
extern void reach_error(void);
float __attribute__((vector_size(16))) f(void) { float x __attribute__((vector_size(16))); return x; }
int main(void) { if (sizeof(f()) == 4) reach_error(); return 0; }
