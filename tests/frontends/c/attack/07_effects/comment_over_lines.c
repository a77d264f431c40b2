// expect: safe-or-unknown
extern void reach_error(void);
int main(void) { int x = 1; // the comment goes on \
x = 2;
    if (x != 1) reach_error(); return 0; }
