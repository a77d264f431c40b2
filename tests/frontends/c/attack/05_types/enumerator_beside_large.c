// expect: unsafe-or-unknown  models: LP64 ILP32
// One enumerator beyond int does not make the others wider, and has itself the type of the enumeration.
extern void reach_error(void);
enum e { NEGATIVE = -1, SMALL = 1, LARGE = 0x80000000 };
int main(void) {
    if (sizeof(SMALL) == 4 && sizeof(LARGE) == 8 && sizeof(enum e) == 8 && LARGE - 0x80000001u == -1) reach_error();
    return 0;
}
