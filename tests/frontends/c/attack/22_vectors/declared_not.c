// expect: unsafe
extern void reach_error(void);
typedef float v4 __attribute__((vector_size(16)));
struct s { int a; v4 v; int b; };
v4 g;
int main(void) { struct s s; s.b = 2; s.v = g; if (sizeof(struct s) == 48 && s.b == 2) reach_error(); return 0; }
