// expect: safe-or-unknown
extern void reach_error(void);
int depth;
int main(void) {
    if (depth++ == 0) {
        if (main() != 7) reach_error();
        return 0;
    }
    return 7;
}
