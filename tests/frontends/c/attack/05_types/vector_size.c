// expect: unsafe-or-unknown
extern void reach_error(void);
typedef int four __attribute__((vector_size(16)));
int main(void) { four v = {1, 2, 3, 4}; if (sizeof v == 16) reach_error(); return 0; }
