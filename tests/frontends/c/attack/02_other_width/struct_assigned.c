// expect: unsafe-or-unknown
extern void reach_error(void);
struct pair { int a, b; };
static void put(struct pair *p) { struct pair v = {0, 1}; *p = v; }
int main(void) { long long m = 5; put((struct pair *)&m); if (m == 1LL << 32) reach_error(); return 0; }
