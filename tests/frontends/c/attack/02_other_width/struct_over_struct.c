// expect: unsafe-or-unknown
extern void reach_error(void);
struct halves { short low, high; };
struct whole { int value; };
int main(void) { struct whole w = {0}; struct halves *h = (struct halves *)&w; h->high = 1; if (w.value == 65536) reach_error(); return 0; }
