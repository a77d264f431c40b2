// expect: unsafe-or-unknown
extern void reach_error(void);
struct S { int a, b; };
struct S;
int main(void) { if (sizeof(struct S) == 8) reach_error(); return 0; }
