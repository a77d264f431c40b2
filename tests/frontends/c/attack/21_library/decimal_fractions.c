// expect: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (atof("3.14159") != 3.14159 || strtof("0.1", 0) != 0.1f) reach_error();
    return 0;
}
