#ifndef ARGOSY_STRING_H
#define ARGOSY_STRING_H
#include <stddef.h>
extern size_t strlen(const char *), strnlen(const char *, size_t);
extern size_t strspn(const char *, const char *), strcspn(const char *, const char *);
extern int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
extern int memcmp(const void *, const void *, size_t);
extern char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *), *strncat(char *, const char *, size_t);
extern char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *);
extern char *strpbrk(const char *, const char *), *strdup(const char *);
extern void *memset(void *, int, size_t), *memchr(const void *, int, size_t);
extern void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t);
#endif
