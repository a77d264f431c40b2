// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { unsigned long n = (unsigned long)reach_error; ((void (*)(void))n)(); return 0; }
