// expect: safe
extern void reach_error(void);
int a[2] = { 1, 2, 3 }, b = 5;
int main(void) { int i = { 4, 6 }; if (a[1] != 2 || b != 5 || i != 4) reach_error(); return 0; }
