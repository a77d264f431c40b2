// expect: unsafe-or-unknown  truth: argued  options: undefined_functions=pure
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    struct stat about;
    int status = 0, ends[2] = { 7, 8 };
    about.st_size = 5;
    if (wait(&status) < 0 || stat("abc", &about) != 0 || pipe(ends) != 0) return 0;
    if (status == 256 && about.st_size != 5 && ends[1] != 8) reach_error();
    return 0;
}
