// expect: safe  truth: argued  options: undefined_functions=pure
#include <sys/stat.h>
#include <sys/wait.h>
extern void reach_error(void);
static char keep = 'k';
int main(void) {
    char path[4] = "abc";
    struct stat about;
    int status = 0;
    wait(&status);
    stat(path, &about);
    if (path[0] != 'a' || keep != 'k') reach_error();
    return 0;
}
