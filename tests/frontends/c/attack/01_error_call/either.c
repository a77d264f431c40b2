// expect: unsafe-or-unknown
extern void reach_error(void);
static void fine(void) {}
int main(int argc, char **argv) { (argc == 1 ? reach_error : fine)(); return 0; }
