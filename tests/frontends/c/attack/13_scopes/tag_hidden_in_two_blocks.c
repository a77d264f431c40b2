// expect: unsafe-or-unknown
extern void reach_error(void);
union U { char c[8]; };
int main(void) {
    { union U; union U { int i; }; if (sizeof(union U) != 4) return 1; }
    if (sizeof(union U) == 8) reach_error();
    return 0;
}
