// expect: safe  models: LP64
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
struct link { struct link *next; };
struct item { int value[4]; struct link link; };
struct owner { struct link head; int count; };
#define item_of(l) ((struct item *)((char *)(l) - __builtin_offsetof(struct item, link)))
#define for_each(pos, head) \
  for (pos = item_of((head)->next); &pos->link != (head); pos = item_of(pos->link.next))
static struct link all = { &all };
int main(void) {
  struct owner *owner = malloc(sizeof *owner);
  struct item one = { { 1 } }, two = { { 2 } }, three = { { 3 } }, *each;
  int sum = 0;
  all.next = &one.link;
  one.link.next = &two.link;
  two.link.next = &all;
  owner->head.next = &three.link;
  three.link.next = &owner->head;
  for_each(each, &all) sum = sum * 10 + each->value[0];
  for_each(each, &owner->head) sum = sum * 10 + each->value[0];
  if (!(sum == 123)) reach_error();
  return 0;
}
