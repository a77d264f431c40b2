// item: computed `goto`: an interpreter
#include <assert.h>

enum { PUSH, ADD, MUL, DUP, JNZ, DEC, HALT };

static int run(const signed char *code)
{
    static const void *const table[] = { &&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&halt };
    int stack[8], *top = stack;
    const signed char *pc = code;
#define NEXT goto *table[(int)*pc++]
    NEXT;
push: *top++ = *pc++; NEXT;
add: top--; top[-1] += *top; NEXT;
mul: top--; top[-1] *= *top; NEXT;
dup: *top = top[-1]; top++; NEXT;
dec: top[-1]--; NEXT;
jnz: if (top[-1]) pc += *pc; else pc++; NEXT;
halt: return top[-1];
}

int main(void)
{
    static const signed char square[] = { PUSH, 3, PUSH, 4, ADD, DUP, MUL, HALT };
    static const signed char count[] = { PUSH, 3, DEC, JNZ, -2, HALT };
    assert(run(count) == 0);
#ifdef UNSAFE
    assert(run(square) == 19);
#else
    assert(run(square) == 49);
#endif
    return 0;
}
