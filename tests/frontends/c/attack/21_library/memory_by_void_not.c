// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
typedef __SIZE_TYPE__ size;
void *memcpy(void *, const void *, size);
void *memmove(void *, const void *, size);
void *memset(void *, int, size);
struct ring { unsigned char data[8]; size used; };
struct pair { short a; int b; };

static void push(struct ring *r, const void *what, size count) {
    memcpy(r->data + r->used, what, count);
    r->used += count;
}
static void swapped(void *a, void *b, size count) {
    unsigned char kept[8];
    memcpy(kept, a, count);
    memcpy(a, b, count);
    memcpy(b, kept, count);
}
static void shifted(void *to, const void *from, size count) { memmove(to, from, count); }
static void cleared(void *at, size count) { memset(at, 0x5a, count); }
static void pairs(void *to, const struct pair *from, size count) { memcpy(to, from, count * sizeof *from); }
static void back(struct pair *to, const void *from, size count) { memcpy(to, from, count * sizeof *to); }

int main(void) {
    struct ring r = { { 0 }, 0 };
    short number = 0x0102;
    push(&r, "ab", 2);
    push(&r, &number, sizeof number);
    if (r.used != 4 || r.data[1] != 'b' || r.data[2] != 2 || r.data[3] != 1) reach_error();
    int x = 0x01020304, y = -5;
    swapped(&x, &y, sizeof x);
    if (x != -5 || y != 0x01020304) reach_error();
    swapped(&x, &y, 1);
    if (x != -252 || y != 0x010203fb) reach_error();
    int row[4] = { 1, 2, 3, 4 };
    shifted(row + 1, row, 3 * sizeof *row);
    if (row[1] != 1 || row[3] != 3) reach_error();
    cleared(&row[2], 5);
    if (row[2] != 0x5a5a5a5a || row[3] != 0x5a) reach_error();
    struct pair from[2] = { { 1, 2 }, { 3, 4 } }, to[2] = { { 0 } }, again[2] = { { 0 } };
    pairs(to, from, 2);
    back(again, to, 1);
    if (to[1].a == 3 && to[1].b == 4 && again[0].b == 2 && again[1].b == 0) reach_error();
    return 0; }
