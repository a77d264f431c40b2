// expect: unsafe
extern void reach_error(void);
extern void *realloc(void *, __SIZE_TYPE__);
struct table { int *items; unsigned count; };
static void add(struct table *t, int item) {
  t->items = realloc(t->items, (t->count + 1) * sizeof *t->items);
  t->items[t->count] = item;
  t->count++;
}
int main(void) {
  struct table t = {0};
  add(&t, 4);
  add(&t, 5);
  if (t.items[0] == 4 && t.items[1] == 5) reach_error();
  return 0;
}
