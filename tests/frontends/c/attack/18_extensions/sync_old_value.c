// expect: safe
extern void reach_error(void);
int x = 3;
int main(void) { if (__sync_fetch_and_sub(&x, 1) != 3 || __sync_sub_and_fetch(&x, 1) != 1) reach_error(); return 0; }
