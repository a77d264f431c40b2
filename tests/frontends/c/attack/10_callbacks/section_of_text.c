// expect: safe
extern void reach_error(void);
static int __attribute__((section(".init.text"), cold)) start(void) { return 1; }
static int __attribute__((section(".init.data"))) limit = 1;
int main(void) { if (start() != limit) reach_error(); return 0; }
