// expect: safe
extern void reach_error(void);
int g; void c(int *p){ g+=*p; }
int main(void){ { int x __attribute__((cleanup(c)))=3; x=4; } if (!(g==4)) reach_error(); return 0; }
