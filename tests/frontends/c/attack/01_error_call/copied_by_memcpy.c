// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
int main(void) { void (*f)(void) = reach_error, (*g)(void) = 0; memcpy(&g, &f, sizeof f); g(); return 0; }
