// expect: unsafe-or-unknown
extern void reach_error(void);
union U { int a; char b; };
int main(void) { union U; union U { char c[2]; }; if (sizeof(union U) == 2) reach_error(); return 0; }
