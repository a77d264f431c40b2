// expect: safe-or-unknown
extern void reach_error(void);
int a[2];
int main(void) { if ((unsigned long)&a[1] - (unsigned long)&a[0] != sizeof(int)) reach_error(); return 0; }
