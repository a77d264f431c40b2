// item: bit fields, packed structures: a register map behind a `volatile` pointer  options: volatile=plain
#include <assert.h>
#include <stdint.h>

struct __attribute__((packed, aligned(4))) uart {
    uint8_t data;
    union {
        uint8_t raw;
        struct { uint8_t ready : 1, overrun : 1, parity : 1, : 2, level : 3; };
    } status;
    uint16_t divisor;
    struct { uint32_t enable : 1, mode : 2, rate : 13, : 0, spare : 16; } control;
    int16_t trim : 5;
};

_Static_assert(__builtin_offsetof(struct uart, divisor) == 2 && sizeof(struct uart) == 16, "the map of the device");

static struct uart device;
#define UART ((volatile struct uart *)&device)

static void start(unsigned rate)
{
    UART->control.rate = rate;
    UART->control.mode = 2;
    UART->control.enable = 1;
    UART->divisor = (uint16_t)(rate * 8);
}

int main(void)
{
    start(9600);
    assert(UART->control.rate == (9600 & 0x1fff) && UART->control.mode == 2);
    UART->status.raw = 0xa5;
    assert(UART->status.ready && !UART->status.overrun && UART->status.parity && UART->status.level == 5);
    UART->trim = 15;
    UART->trim++;
    UART->status.level += 4;
#ifdef UNSAFE
    assert(UART->trim == 16);
#else
    assert(UART->trim == -16 && UART->status.level == 1);
#endif
    return 0;
}
