// expect: safe-or-unknown
extern void reach_error(void);
typedef float v4 __attribute__((vector_size(16)));
struct s { v4 v; int x; } s = {1, 2, 3, 4, 5};
int main(void) { v4 a = {1, 2, 3, 4}; if (a[2] != 3 || s.x != 5) reach_error(); return 0; }
