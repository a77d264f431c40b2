// expect: unsafe-or-unknown
extern void reach_error(void);

struct s { signed char a; int b; _Bool c[2]; };

int main(void) {
  struct s v[300];
  v[5].b = 258;
  if (*(char *) &v[5].b == 2) reach_error();
  return 0;
}
