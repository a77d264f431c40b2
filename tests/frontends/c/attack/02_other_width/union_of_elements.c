// expect: unsafe-or-unknown
extern void reach_error(void);
struct parts { unsigned a; short b; unsigned char c; char d; };
union both { struct parts parts; unsigned words[2]; };
union both v[200];
int main(void) {
  union both (*p)[200] = &v;
  (*p)[3].parts.b = 7;
  unsigned low = p[0][3].words[1];
  unsigned *q = &v[3].words[1];
  if (low == 7 && *q == 7)
    reach_error();
  return 0;
}
