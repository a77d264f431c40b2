// expect: unsafe  models: LP64
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
int row[3] = { 1, 2, 3 }, many[400];
static int of_one(int *v, int n) {
  int *from_one = v - 1, sum = 0;
  for (int i = 1; i <= n; i++) sum += i * from_one[i];
  return sum;
}
int main(void) {
  int *block = malloc(3 * sizeof *block), sum = 0;
  for (int i = 0; i < 3; i++) block[i] = i + 1;
  for (int *p = row + 2; p >= row; p--) sum = sum * 10 + *p;
  for (int *p = block + 3; p-- > block;) sum += *p;
  for (int *p = many + 1; p >= many; p--) sum += *p;
  if ((sum == 321 + 6 && of_one(row, 3) == 14)) reach_error();
  return 0;
}
