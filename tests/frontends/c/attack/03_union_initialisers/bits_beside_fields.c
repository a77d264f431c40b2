// expect: safe  models: LP64 ILP32  truth: argued  ledger: bits that belong to no bit field
extern void reach_error(void);
struct s { unsigned char a : 7, b : 7; unsigned short c : 15; };
/* Bits of an automatic structure that no member has may be set behind its initialiser (gcc -O0 leaves them). */
int main(void) { struct s d = { 1, 2, 3 }; if (*(unsigned char *)&d != 1) reach_error(); return 0; }
