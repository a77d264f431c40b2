// expect: unsafe-or-unknown
extern void reach_error(void);
unsigned int cells[4];
int main(void) { unsigned char *p = (unsigned char *)cells; p[5] = 2; if (cells[1] == 512) reach_error(); return 0; }
