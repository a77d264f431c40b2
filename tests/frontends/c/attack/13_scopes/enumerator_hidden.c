// expect: unsafe-or-unknown
extern void reach_error(void);
enum { N = 3 };
int main(void) { enum { N = 4 }; int a[N]; if (sizeof a == 16) reach_error(); return 0; }
