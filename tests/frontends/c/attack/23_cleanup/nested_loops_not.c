// expect: unsafe
extern void reach_error(void);
int g; void c(int *p) { g = 10 * g + *p; }
int main(void) { for (int i = 1; i < 3; i++) { int a __attribute__((cleanup(c))) = i; while (1) { int b __attribute__((cleanup(c))) = 5; if (i == 1) goto next; break; } next:; } if (g == 5152) reach_error(); return 0; }
