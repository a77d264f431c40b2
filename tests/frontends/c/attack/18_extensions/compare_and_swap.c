// expect: unsafe
extern void reach_error(void);
int x = 3;
int main(void) { int e = 4; if (!__atomic_compare_exchange_n(&x, &e, 9, 0, 5, 5) && e == 3) reach_error(); return 0; }
