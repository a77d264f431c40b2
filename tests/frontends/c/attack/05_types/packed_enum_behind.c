// expect: unsafe-or-unknown
extern void reach_error(void);
typedef enum { A, B = 200 } __attribute__((packed)) small;
typedef enum { C, D } plain;
enum __attribute__((__packed__)) { M = -1, N = 200 } x;
int main(void) { small s = B; if (sizeof s == 1 && s == 200 && sizeof(plain) == 4 && sizeof x == 2) reach_error(); return 0; }
