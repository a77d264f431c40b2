// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int calls;
int *get(unsigned long n) { static int made; made++; calls = made; return malloc(n); }
int main(void) { int *p = get(4), *q = get(8); *p = 1; q[1] = 2; if (calls == 2 && p != q) reach_error(); return 0; }
