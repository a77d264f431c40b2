// expect: unsafe
extern void reach_error(void);
struct s { int a, *b; } *q = &(struct s){ 7, (int[]){ 1, 2 } };
int main(void) { q->b[1]++; if (q->a == 7 && q->b[1] == 3) reach_error(); return 0; }
