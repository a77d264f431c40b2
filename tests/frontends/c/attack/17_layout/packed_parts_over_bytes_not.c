// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
#pragma pack(push, 2)
struct inner { short a; int b; };
#pragma pack(pop)
struct __attribute__((packed)) outer { char kind; struct inner parts[2]; };
int main(void) {
  unsigned char bytes[13];
  for (int i = 0; i < 13; i++) bytes[i] = i;
  struct outer *at = (struct outer *)bytes;
  int k = bytes[1];
  if (at->parts[k].b == 0x0c0b0a09 && at->parts[0].a == 0x0201) reach_error();
  return 0; }
