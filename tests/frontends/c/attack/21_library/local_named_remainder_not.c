// expect: unsafe
extern void reach_error(void);
int main(void){ int remainder = 7 % 4, index = 2; if (remainder+index==5) reach_error(); return 0; }
