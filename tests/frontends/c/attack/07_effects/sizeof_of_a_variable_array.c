// expect: safe
extern void reach_error(void);
int main(void) {
  int n = 3, k;
  for (k = 1; k < 3; k++) {
    int a[n++ + k];
    n = n + 0;
    if (sizeof a != (k == 1 ? 4 : 6) * sizeof(int)) reach_error();
  }
  if (n != 5) reach_error();
  if (sizeof(int *[n]) != 5 * sizeof(int *) || sizeof(sizeof(int[n++])) != sizeof(sizeof 0) || n != 5) reach_error();
  return 0;
}
