// expect: safe  models: LP64 ILP32
extern void reach_error(void);
struct s { union { unsigned : 0; unsigned char a : 8; int b; } m; int k; };
struct s g = { 5, 6 };
int main(void) { struct s l = { 7 }; if (g.m.a != 5 || g.k != 6 || l.m.a != 7 || l.k != 0) reach_error(); return 0; }
