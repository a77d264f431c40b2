/* Expected verdict: SAFE
 *
 * A state machine with a timer: green lasts three ticks, yellow one, red two. Cars and pedestrians never both go.
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum light { RED, GREEN, YELLOW };

int main(void) {
    enum light cars = RED;
    int ticks = 0;
    for (;;) {
        _Bool walking = cars == RED && __VERIFIER_nondet_bool();
        ticks++;
        switch (cars) {
        case GREEN:
            if (ticks == 3) {
                cars = YELLOW;
                ticks = 0;
            }
            break;
        case YELLOW:
            cars = RED;
            ticks = 0;
            break;
        case RED:
            if (ticks >= 2 && !walking) {
                cars = GREEN;
                ticks = 0;
            }
        }
        if (ticks > 2 && cars == GREEN)
            reach_error();
        if (walking && cars != RED)
            reach_error();
    }
}
