// expect: unsafe-or-unknown
extern void reach_error(void);
static int seen;
static void note(void) { seen = 1; }
struct entry { int key; void (*run)(void); };
static const struct entry entries[] = {{1, note}, {2, reach_error}};
int main(void) {
    for (int i = 0; i < 2; i++) if (entries[i].key == 2) entries[i].run();
    return seen;
}
