// expect: safe
extern void reach_error(void);
extern int getpagesize(void);
extern int of_the_system(void) __asm__("getpagesize");
extern inline __attribute__((gnu_inline, always_inline)) int getpagesize(void) { return of_the_system() + 1; }
static int pages(int bytes, int size) { return (bytes + size - 1) / size; }
int main(void) { if (pages(8193, 4096) != 3) reach_error(); return 0; }
