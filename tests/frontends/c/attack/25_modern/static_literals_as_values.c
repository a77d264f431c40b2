// expect: safe
extern void reach_error(void);
struct pair { int a, b; };
struct more { struct pair s; int *p; struct pair *q; };
#define INIT(x) (struct pair){ x, .b = (x) + 1 }
static struct pair one = INIT(3);
static struct more two[2] = { { INIT(4), (int[]){ 7, 8 }, &(struct pair){ 5, 6 } }, [1].s = INIT(6) };
static const struct pair table[3] = { [0 ... 1] = (struct pair){ 1, 2 }, { .b = 3 } };
static int array[2] = (int[2]){ 5, 6 };
static int calls(void) {
    static struct pair inside = INIT(10);
    inside.a++;
    return inside.a * 100 + inside.b;
}
int main(void) {
    if ((one.a * 10 + one.b) != 34) reach_error();
    if ((two[0].s.a + two[0].p[1] * 10 + two[0].q->b * 100 + two[1].s.b * 1000) != 7684) reach_error();
    if ((two[1].p == 0) != 1) reach_error();
    if ((table[1].b * 10 + table[2].b) != 23) reach_error();
    if ((array[1]) != 6) reach_error();
    if ((calls() + calls()) != 2322) reach_error();
    return 0;
}
