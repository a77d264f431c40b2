// expect: unsafe-or-unknown
extern void reach_error(void);
int main(void) { if (sizeof ("\u00e9" L"x") == 12 && sizeof (u"\U0001F600" "") == 6) reach_error(); return 0; }
