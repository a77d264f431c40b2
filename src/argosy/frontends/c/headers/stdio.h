#ifndef ARGOSY_STDIO_H
#define ARGOSY_STDIO_H
#include <stddef.h>
#include <stdarg.h>
typedef struct __argosy_file FILE;
#define EOF (-1)
extern FILE *stdin, *stdout, *stderr;
extern int printf(const char *, ...), fprintf(FILE *, const char *, ...);
extern int sprintf(char *, const char *, ...), snprintf(char *, size_t, const char *, ...);
extern int vprintf(const char *, va_list), vfprintf(FILE *, const char *, va_list);
extern int vsnprintf(char *, size_t, const char *, va_list);
extern int scanf(const char *, ...), fscanf(FILE *, const char *, ...), sscanf(const char *, const char *, ...);
extern int puts(const char *), fputs(const char *, FILE *), putchar(int), putc(int, FILE *), fputc(int, FILE *);
extern int getchar(void), getc(FILE *), fgetc(FILE *), ungetc(int, FILE *), fflush(FILE *), fclose(FILE *);
extern int feof(FILE *), ferror(FILE *);
extern char *fgets(char *, int, FILE *);
extern FILE *fopen(const char *, const char *);
extern size_t fread(void *, size_t, size_t, FILE *), fwrite(const void *, size_t, size_t, FILE *);
extern void perror(const char *);
#endif
