// expect: unsafe-or-unknown
extern void reach_error(void);
enum __attribute__((packed)) colour { RED, GREEN };
int main(void) { if (sizeof(enum colour) == 1) reach_error(); return 0; }
