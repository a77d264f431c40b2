#ifndef ARGOSY_STDNORETURN_H
#define ARGOSY_STDNORETURN_H
#define noreturn _Noreturn
#endif
