// expect: unsafe  truth: argued
extern void reach_error(void);
#define LIMIT 1'000'000
#define CHECKED(x) ((x) == 0xFF'FF)
int main(void) { char quote = '\''; if (LIMIT == 1000 * 1000 && CHECKED(65'535) && 0b1111'0000 == 240 && 1'0.5 > 10 && quote == 39) reach_error(); return 0; }
