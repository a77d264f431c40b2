// expect: unsafe-or-unknown
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
int main(void) { atexit(reach_error); return 0; }
