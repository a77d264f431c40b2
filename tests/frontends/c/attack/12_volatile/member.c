// expect: unsafe-or-unknown  truth: argued
extern void reach_error(void);
struct { volatile int flag; int data; } device;
int main(void) { device.flag = 0; if (device.flag) reach_error(); return 0; }
