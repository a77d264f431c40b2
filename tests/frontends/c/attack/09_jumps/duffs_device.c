// expect: unsafe
extern void reach_error(void);
int main(void) {
    int n = 5, sum = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { sum++;
    case 3:      sum++;
    case 2:      sum++;
    case 1:      sum++;
            } while (--rounds > 0);
    }
    if (sum == 5) reach_error();
    return 0;
}
