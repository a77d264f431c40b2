// expect: safe
extern void reach_error(void);
struct s { int a, b; };
static int calls;
static struct s make(int a) { calls++; struct s s = { a, 2 * a }; return s; }
int main(void) {
    int c = 1, d = 1;
    int x = (c ? make(3) : make(4)).b + (d-- ? make(1) : make(2)).a;
    if (x != 7 || calls != 2 || d != 0) reach_error();
    return 0;
}
