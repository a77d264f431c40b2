// expect: safe
extern void reach_error(void);
int main(void) {
    if (sizeof __func__ != 5) reach_error();
    return 0;
}
