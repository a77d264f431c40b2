// expect: unsafe-or-unknown
extern void reach_error(void);
typedef int T;
int main(void) {
    int b = 1, x = 2;
    if ((x) && b && sizeof(T) && b && (T) {1} && b) reach_error();
    return 0;
b:  goto b;
}
