// expect: unsafe
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
void put(int **p, int n) { *p = malloc(sizeof(int)); **p = n; }
int main(void) { int *a[3]; for (int i = 0; i < 3; i++) put(&a[i], i + 1); if (*a[0] == 1 && *a[1] == 2 && *a[2] == 3) reach_error(); return 0; }
