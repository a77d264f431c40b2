// expect: unsafe
extern void reach_error(void);
#define F(x) ({ __label__ out; int r = 0; if (x) goto out; r = 1; out: r; })
int main(void) { if (F(0) + F(1) == 1) reach_error(); return 0; }
