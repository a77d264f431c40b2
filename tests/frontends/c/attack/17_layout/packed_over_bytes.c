// expect: safe  models: LP64 ILP32
extern void reach_error(void);
struct __attribute__((packed)) frame { unsigned char type; unsigned length; unsigned short crc; };
int main(void) {
  unsigned char received[9] = {9, 1, 2, 0, 0, 0, 0x34, 0x12, 7};
  struct frame *at = (struct frame *)(received + 1);
  at->length += 0x01000000;
  if (!(at->length == 0x01000002 && at->crc == 0x1234 && received[5] == 1)) reach_error();
  return 0; }
