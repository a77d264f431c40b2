// expect: unsafe
extern void reach_error(void);
int g; void c(int *p){ g+=*p; }
int main(void){ int n=0; again: { int x __attribute__((cleanup(c)))=n+1; if(++n<3) goto again; } if (g==6) reach_error(); return 0; }
