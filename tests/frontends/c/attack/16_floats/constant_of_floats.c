// expect: safe
extern void reach_error(void);
enum { three = (int)3.7, yes = 2.5 > 1.0 + 1.0 };
int table[(int)(1.5 * 2)];
int main(void) { int n = 0; switch (2) { case (int)2.9f: n = 1; } if (!(three == 3 && yes && sizeof table == 3 * sizeof(int) && n)) reach_error(); return 0; }
