// expect: unreadable
extern void reach_error(void);
int x = 3;
int y = x;
int main(void) { if (y == 3) reach_error(); return 0; }
