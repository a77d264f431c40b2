// expect: unsafe-or-unknown
extern void reach_error(void);
static void h(void) { reach_error(); }
int main(void) { __asm__ volatile("call *%0" : : "r"(h) : "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"); return 0; }
