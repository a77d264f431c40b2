// expect: safe-or-unknown
extern void reach_error(void);
static void nothing(void) {}
static void (*const table[2])(void) = {nothing, reach_error};
int main(void) { for (int i = 0; i < 2; i += 2) table[i](); return 0; }
