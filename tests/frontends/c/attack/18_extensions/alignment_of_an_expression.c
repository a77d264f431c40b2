// expect: safe
extern void reach_error(void);
struct { char c; short s; } x;
int main(void) { if (_Alignof(x) != 2 || _Alignof(x.c) != 1) reach_error(); return 0; }
