// expect: safe-or-unknown
extern void reach_error(void);
int main(int argc, char **argv) {
    void *where = argc > 100 ? &&b : (void *)&&a;
    int x = 0;
    if (argc > 100) goto *where; else x = 2;
    goto *where;
a:  x += 1;
b:  if (x != 0 && x != 3 && x != 2) reach_error();
    if (argc <= 100 && x == 2) reach_error();
    return 0;
}
