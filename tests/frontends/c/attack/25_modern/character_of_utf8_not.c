// expect: unsafe  truth: argued
extern void reach_error(void);
// As C23 has it: an unsigned char, and not an int.
int main(void) { if (sizeof(u8'a') == 1 && u8'a' == 97) reach_error(); return 0; }
