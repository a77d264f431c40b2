// expect: unsafe-or-unknown
extern void reach_error(void);
typedef int byte __attribute__((mode(QI)));
int main(void) { byte b = (byte)300; if (sizeof(byte) == 1 && b == 44) reach_error(); return 0; }
