// expect: unsafe  models: LP64
#include <arpa/inet.h>
extern void reach_error(void);
int main(void) {
    if (htonl(1) == 0x1000000) reach_error();
    return 0;
}
