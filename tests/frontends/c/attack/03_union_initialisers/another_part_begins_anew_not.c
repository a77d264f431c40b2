// expect: safe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
struct { int before; union { int i; struct { char x, y; } t; } u[2]; } all = {
    7, .u[1].t.x = 5, .u[0].i = 3, .u[1].i = 9, .u[1].t.y = 6
};
int main(void) { if (all.u[1].t.x != 0 || all.u[0].t.x != 3) reach_error(); return 0; }
