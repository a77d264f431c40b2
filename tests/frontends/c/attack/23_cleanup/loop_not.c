// expect: unsafe
extern void reach_error(void);
int g; void c(int *p){ g+=*p; }
int main(void){ for(int i=0;i<4;i++){ int x __attribute__((cleanup(c)))=i; if(i==1) continue; if(i==2) break; } if (g==3) reach_error(); return 0; }
