// expect: unreadable
extern void reach_error(void);
const int a = a + 1;
int main(void) { if (a) reach_error(); return 0; }
