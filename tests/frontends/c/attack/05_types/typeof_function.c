// expect: unsafe-or-unknown
extern void reach_error(void);
static int three(void) { return 3; }
static typeof(three) four;
static int four(void) { return 4; }
int main(void) { if (three() + four() == 7) reach_error(); return 0; }
