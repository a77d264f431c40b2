#ifndef ARGOSY_STDLIB_H
#define ARGOSY_STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
extern void free(void *);
extern void abort(void) __attribute__((noreturn));
extern void exit(int) __attribute__((noreturn));
extern void _Exit(int) __attribute__((noreturn));
extern int atexit(void (*)(void));
extern int abs(int), rand(void), atoi(const char *);
extern long labs(long), atol(const char *), strtol(const char *, char **, int);
extern long long llabs(long long), atoll(const char *), strtoll(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
extern double atof(const char *), strtod(const char *, char **);
extern void srand(unsigned int);
extern char *getenv(const char *);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
#endif
