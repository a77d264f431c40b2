// expect: unsafe-or-unknown
extern void reach_error(void);
#define N 4
struct p { int x, y, z; };
static struct p q[N] = {[0 ... N - 1] = {.x = 1, z: 2}};
int main(void) { if (q[3].z == 2 && q[0].x == 1 && q[2].y == 0) reach_error(); return 0; }
