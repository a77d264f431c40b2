// expect: unsafe-or-unknown
extern void reach_error(void);
enum colour { RED, GREEN } __attribute__((packed));
struct { enum colour a, b; } s;
int main(void) { if (sizeof s == 2) reach_error(); return 0; }
