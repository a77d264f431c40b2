// expect: unsafe
extern void reach_error(void);
int main(void) { char c = (char)200; if (c < 0) reach_error(); return 0; }
