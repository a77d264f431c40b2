// expect: unsafe-or-unknown
#include <stdarg.h>
extern void reach_error(void);
int main(void) { va_list list; char room[sizeof(va_list)]; if (sizeof(va_list) == 24 && sizeof list == sizeof room) reach_error(); return 0; }
