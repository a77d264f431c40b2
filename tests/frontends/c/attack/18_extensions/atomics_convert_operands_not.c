// expect: unsafe  models: LP64 ILP32
extern void reach_error(void);
signed char small = -1;
unsigned char byte = 240, expected = 240;
int row[3] = { 5 };
int main(void) {
  int swapped = __sync_bool_compare_and_swap(&small, 255, 7);
  int exchanged = __atomic_compare_exchange_n(&byte, &expected, 1025, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  int before = __sync_fetch_and_add(row, 3);
  if ((swapped && small == 7 && exchanged && byte == 1 && before == 5 && row[0] == 8)) reach_error();
  return 0;
}
