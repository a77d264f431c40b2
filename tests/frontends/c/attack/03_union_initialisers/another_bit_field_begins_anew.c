// expect: unsafe-or-unknown  models: LP64 ILP32
extern void reach_error(void);
union bits {
    unsigned char first __attribute__((aligned(4)));
    unsigned twelve : 12;
    long long wide : 32;
    struct { _Bool inner : 1; };
    _Bool one : 1;
} __attribute__((packed, aligned(1 << 4)));
union bits u = {.wide = 6, .one = 1};
int main(void) { if (u.twelve == 1 && u.wide == 1 && u.inner && sizeof u == 16) reach_error(); return 0; }
