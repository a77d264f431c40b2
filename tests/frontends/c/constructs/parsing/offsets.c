// item: `offsetof` in constants; `container_of` and lists
#include <assert.h>
#include <stddef.h>

struct list_head { struct list_head *next, *prev; };
struct task { int priority; struct { char tag; int deadline[3]; } plan; struct list_head link; };

enum { AT = offsetof(struct task, plan.deadline[1]) };
static char image[offsetof(struct task, link)];
_Static_assert(AT == 12, "an offset is a constant");

#define container_of(ptr, type, member) ({ \
    const typeof(((type *)0)->member) *__mptr = (ptr); \
    (type *)((char *)__mptr - offsetof(type, member)); })
#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)

static struct list_head ready = { &ready, &ready };

static void append(struct list_head *new, struct list_head *head)
{
    new->prev = head->prev;
    new->next = head;
    head->prev->next = new;
    head->prev = new;
}

int main(void)
{
    struct task a = { .priority = 3 }, b = { .priority = 8 };
    struct list_head *at;
    int sum = 0;
    append(&a.link, &ready);
    append(&b.link, &ready);
    list_for_each(at, &ready)
        sum = sum * 10 + container_of(at, struct task, link)->priority;
    assert(sizeof image == (sizeof(long) == 8 ? 24 : 20) && container_of(&b.link, struct task, link) == &b);
#ifdef UNSAFE
    assert(sum == 83);
#else
    assert(sum == 38);
#endif
    return 0;
}
