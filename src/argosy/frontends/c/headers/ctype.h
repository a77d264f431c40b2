#ifndef ARGOSY_CTYPE_H
#define ARGOSY_CTYPE_H
extern int isalpha(int), isdigit(int), isalnum(int), isspace(int), isblank(int), isupper(int), islower(int);
extern int ispunct(int), isprint(int), iscntrl(int), isxdigit(int), isgraph(int), toupper(int), tolower(int);
#endif
