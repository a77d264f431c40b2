// expect: safe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
#pragma pack(push, 2)
struct packet {
    char n, m;
    union { long long wide : 33; unsigned one : 1; struct { unsigned : 0; char z; }; unsigned char raw[8]; };
    union { int i; struct { union { short p; char q[3]; }; unsigned r : 1; unsigned long long : 0; char v; }; } u[2];
};
#pragma pack(pop)
int main(void) {
    struct packet x = {.wide = -1, .z = 3, .u[0].i = -1, .n = 2, .u[0].r = 1, .u[0].v = 4, .one = 1, .u[1].v = 5};
    if (x.n != 2 || x.one != 1 || x.u[0].v != 4 || x.u[0].r != 1 || x.u[1].v != 5) reach_error();
    return 0;
}
