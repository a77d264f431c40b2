// expect: safe
extern void reach_error(void);
int x;
static void __attribute__((constructor)) last(void) { x = x * 10 + 2; }
static void __attribute__((constructor(200))) first(void) { x = x * 10 + 1; }
int main(void) { if (x != 12) reach_error(); return 0; }
