// expect: unsafe
extern void reach_error(void);
int main(void) { int x = 1; goto x; x: if (x) reach_error(); return 0; }
