// expect: unsafe-or-unknown
extern void reach_error(void);
struct pair { int a, b; };
int main(void) { int m[2] = {1, 2}; *(struct pair *)m = (struct pair){3, 4}; if (m[0] == 3 && m[1] == 4) reach_error(); return 0; }
