// expect: unsafe
extern void reach_error(void);
struct s { char a : 3; int : 0; char b : 3; };
int main(void) { if (sizeof(struct s) == 5) reach_error(); return 0; }
