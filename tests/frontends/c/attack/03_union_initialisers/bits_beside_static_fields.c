// expect: safe  models: LP64 ILP32  truth: run
extern void reach_error(void);
struct s { unsigned char a : 7, b : 7; unsigned short c : 15; };
/* Those of a static one are zero (6.7.9, 10). */
int main(void) { static struct s d = { 1, 2, 3 }; if (*(unsigned char *)&d != 1) reach_error(); return 0; }
