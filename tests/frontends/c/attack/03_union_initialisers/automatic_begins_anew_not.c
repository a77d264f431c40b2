// expect: safe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
int main(void) {
    union { struct { int x, y; } t; struct { int z; char c; } s; } u = {.t.x = 1, .t.y = 2, .s.c = 3};
    if (u.s.z != 0) reach_error();
    return 0;
}
