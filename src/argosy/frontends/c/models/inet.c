/* arpa/inet.h: numbers in the order of bytes of networks, on machines whose first byte is the lowest. */

unsigned short htons(unsigned short n) {
    return n >> 8 | n << 8;
}

unsigned short ntohs(unsigned short n) {
    return n >> 8 | n << 8;
}

unsigned int htonl(unsigned int n) {
    return n >> 24 | (n >> 8 & 0xff00) | (n << 8 & 0xff0000) | n << 24;
}

unsigned int ntohl(unsigned int n) {
    return n >> 24 | (n >> 8 & 0xff00) | (n << 8 & 0xff0000) | n << 24;
}
