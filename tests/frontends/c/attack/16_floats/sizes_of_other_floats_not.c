// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
struct pair { float _Complex z; char c; };
int main(void) { if (sizeof(float _Complex) == 8 && sizeof(_Complex double) == 16 && sizeof(struct pair) == 12 && sizeof(__float128) == 16) reach_error(); return 0; }
