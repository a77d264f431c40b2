// expect: unsafe
extern void reach_error(void);
int main(void) { _Bool b = 256; if (b == 1 && (_Bool)2 + (_Bool)2 == 2) reach_error(); return 0; }
