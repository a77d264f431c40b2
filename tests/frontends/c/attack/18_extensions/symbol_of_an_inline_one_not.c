// expect: unsafe
extern void reach_error(void);
int own = 1;
extern int getpagesize(void);
extern int of_the_system(void) __asm__("getpagesize");
extern inline __attribute__((gnu_inline, always_inline)) int getpagesize(void) { return own ? 7 : of_the_system(); }
int main(void) { if (getpagesize() == 7) reach_error(); return 0; }
