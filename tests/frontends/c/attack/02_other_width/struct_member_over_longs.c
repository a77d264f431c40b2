// expect: unsafe-or-unknown
extern void reach_error(void);
struct pair { int a, b; };
int main(void) { long long m = 0; ((struct pair *)&m)->b = 1; if (m == 1LL << 32) reach_error(); return 0; }
