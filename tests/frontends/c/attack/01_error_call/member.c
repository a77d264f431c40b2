// expect: unsafe-or-unknown
extern void reach_error(void);
struct operations { int state; void (*on_error)(void); };
int main(void) { struct operations o = {1, reach_error}; if (o.state) o.on_error(); return 0; }
