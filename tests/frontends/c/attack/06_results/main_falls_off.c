// expect: safe-or-unknown
// main without return gives 0 (C99), also to a caller inside the program.
extern void reach_error(void);
int depth;
int main(void) {
    if (depth++ == 0 && main() != 0) reach_error();
}
