// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
struct s { int x, y[3]; };
static int read(struct s s) { return s.x * 10 + s.y[1]; }
int main(void) {
  struct s *p = &(struct s){ y: { [1] 6 }, x: 7 };
  int *row = (int[3]){ [1] 4 };
  if (p->x) { again: p->x--; }
  if (p->x > 5) goto again;
  if ((read((struct s){ x: 1, y: { 2, 3 } }) == 13 && read(*p) == 56 && row[1] == 4)) reach_error();
  return 0;
}
