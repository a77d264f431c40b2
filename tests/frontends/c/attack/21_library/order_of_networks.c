// expect: safe  models: LP64
#include <arpa/inet.h>
extern void reach_error(void);
int main(void) {
    if (htons(0x1234) != 0x3412 || ntohs(1) != 256) reach_error();
    if (ntohl(0x11223344) != 0x44332211 || htonl(ntohl(0xfeedbeef)) != 0xfeedbeef) reach_error();
    return 0;
}
