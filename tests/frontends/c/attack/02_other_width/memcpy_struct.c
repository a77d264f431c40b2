// expect: unsafe-or-unknown
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
struct s { short a; int b; };
int main(void) { struct s s = {1, 2}, t = {3, 4}; memcpy(&t, &s, sizeof s); if (t.a == 1 && t.b == 2) reach_error(); return 0; }
