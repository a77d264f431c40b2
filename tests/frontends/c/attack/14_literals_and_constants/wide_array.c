// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { int a[] = L"é€"; if (a[0] == 0xe9 && a[1] == 0x20ac && sizeof a == 12) reach_error(); return 0; }
