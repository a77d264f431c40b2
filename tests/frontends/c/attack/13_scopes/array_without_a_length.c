// expect: safe  models: LP64 ILP32
extern void reach_error(void);
int alone[];
int later[];
int later[3];
int main(void) {
  int *p = alone;
  alone[0] = 3;
  later[2] = 5;
  if (!(*p == 3 && later[2] == 5 && sizeof later == 12)) reach_error();
  return 0;
}
