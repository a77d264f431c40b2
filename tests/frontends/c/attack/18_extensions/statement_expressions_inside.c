// expect: safe-or-unknown
extern void reach_error(void);
struct s { int a, b; };
int main(void) {
    int x = ({ ({ 3; }); }), y = ({ int z = 2; l: ({ z + 1; }); });
    if (x != 3 || y != 3) reach_error();
    if (x) ({ x = 7; }); else ({ x = 8; });
    struct s v = ({ ({ struct s w = {1, 2}; w; }); });
    if (x != 7 || v.b != 2 || ({ struct s w = {3, 4}; w; }).a != 3) reach_error();
    for (({ x = 0; }); ({ x < 3; }); ({ x++; })) ({ { y++; } });
    if (y != 6) reach_error();
    return ({ ({ ({ 0; }); }); });
}
