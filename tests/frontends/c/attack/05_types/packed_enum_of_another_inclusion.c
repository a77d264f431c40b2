// expect: safe
extern void reach_error(void);
# 1 "number.h"
typedef enum { A, B } __attribute__((packed)) ea;
# 1 "number.h"
typedef enum { C, D } eb;
# 7 "packed_enum_of_another_inclusion.c"
int main(void) {
    if (sizeof(ea) != 1 || sizeof(eb) != 4) reach_error();
    return 0;
}
