// expect: safe-or-unknown
extern void reach_error(void);
#define N 4
struct p { int x, y, z; };
int main(void) {
    struct p r[2] = {[0 ... 1] = {y: 3}}, q[N] = {[0 ... N - 1] = {.x = 1, .z = 2}, [2].y = 7}, t[3] = {[0 ... 1].y = 3};
    int m[2][3] = {[0 ... 1] = {[0 ... (1)] = 4, 5}}, k[8] = {[2 * 1 ... 2 + 3] 6};
    if (r[1].y != 3 || r[1].x || q[3].x != 1 || q[0].z != 2 || q[2].y != 7 || q[2].x != 1) reach_error();
    if (m[1][0] != 4 || m[1][1] != 4 || m[1][2] != 5 || k[2] != 6 || k[5] != 6 || k[6] || k[1]) reach_error();
    if (t[0].y != 3 || t[1].y != 3 || t[2].y) reach_error();
    return 0;
}
