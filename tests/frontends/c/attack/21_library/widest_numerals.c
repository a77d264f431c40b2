// expect: safe  models: LP64 ILP32  truth: argued
#ifdef __LP64__
typedef long widest; typedef unsigned long unsigned_widest;
#else
typedef long long widest; typedef unsigned long long unsigned_widest;
#endif
extern widest strtoimax(const char *, char **, int), imaxabs(widest);
extern unsigned_widest strtoumax(const char *, char **, int);
extern void reach_error(void);
int main(void) {
    if (strtoimax("-9223372036854775807", 0, 10) != -9223372036854775807ll) reach_error();
    if (strtoumax("ffffffffffffffff", 0, 16) != -1ull || imaxabs(-5000000000ll) != 5000000000ll) reach_error();
    return 0;
}
