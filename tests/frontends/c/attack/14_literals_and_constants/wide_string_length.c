// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (sizeof L"é" == 8) reach_error(); return 0; }
