// expect: unsafe
extern void reach_error(void);
enum state { IDLE, RUN, STOP, STATES };
static const unsigned char kind[128] = { ['0' ... '9'] = 1, ['a' ... 'z'] = 2, ['_'] = 2, [' '] = 3 };
static int next[STATES][4] = { [IDLE ... STOP] = { [0 ... 3] = -1 }, [RUN][1] = 7, 8 };
static short sizes[sizeof(long) / 2] = { [0 ... sizeof(long) / 2 - 1] = 4 };
int main(void) {
    if ((kind['5'] + kind['q'] * 10 + kind['_'] * 100 + kind[' '] * 1000 + kind['!']) != 3221) reach_error();
    if ((next[IDLE][0] + next[RUN][1] * 10 + next[RUN][2] * 100 + next[RUN][0] * 1000) != -131) reach_error();
    if ((sizes[3]) == 4) reach_error();
    return 0;
}
