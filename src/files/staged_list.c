#include "files/staged_list.h"

#include "base/ending.h"
#include "files/staged_name.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each with the next. */
static struct staged *list;
static atomic_flag list_taken = ATOMIC_FLAG_INIT;

void staged_list_take(sigset_t *mask)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, mask);
    while (atomic_flag_test_and_set_explicit(&list_taken, memory_order_acquire))
        sched_yield();
}

void staged_list_give(const sigset_t *mask)
{
    atomic_flag_clear_explicit(&list_taken, memory_order_release);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

void staged_leave(const struct staged *staged)
{
    char name[NAME_MAX + 1];
    bool whole = staged->state == STAGED_COMPLETE && staged->kind == TARGET_FILE;
    if (staged->state >= STAGED_NAMED || staged->retained || !staged_name_is_held(staged))
        return;
    if (!whole)
        unlinkat(staged->folder, staged_name_base(staged->temporary), 0);
    else if (staged->owned)
        staged_name_fall_back(staged, STAGED_KEPT, name);
}

void staged_abandon(void)
{
    sigset_t mask;
    staged_list_take(&mask);
    for (const struct staged *staged = list; staged; staged = staged->next)
        staged_leave(staged);
    staged_list_give(&mask);
}

void staged_list_add(struct staged *staged)
{
    if (!list)
        ending_guard(staged_abandon);
    staged->next = list;
    list = staged;
}

void staged_list_remove(const struct staged *staged)
{
    sigset_t mask;
    struct staged **link = &list;
    staged_list_take(&mask);
    while (*link != staged)
        link = &(*link)->next;
    *link = staged->next;
    if (!list)
        ending_release();
    staged_list_give(&mask);
}

size_t staged_names(char *names, size_t room)
{
    sigset_t mask;
    size_t used = 0;
    staged_list_take(&mask);
    for (const struct staged *staged = list; staged; staged = staged->next) {
        size_t bytes = strlen(staged->temporary) + 1;
        if (staged->retained)
            continue;
        if (bytes > room - used)
            break;
        memcpy(names + used, staged->temporary, bytes);
        used += bytes;
    }
    staged_list_give(&mask);
    return used;
}

/* A file may be open more than once. */
static bool staged_is_same(const struct staged *a, const struct staged *b)
{
    struct stat held, other;
    return a == b || (a->fd >= 0 && fstat(a->fd, &held) == 0 && fstat(b->fd, &other) == 0 &&
                      held.st_dev == other.st_dev && held.st_ino == other.st_ino);
}

void staged_complete(const struct staged *complete)
{
    sigset_t mask;
    staged_list_take(&mask);
    for (struct staged *staged = list; staged; staged = staged->next)
        if (staged->state == STAGED_GROWING && staged_is_same(complete, staged))
            staged->state = STAGED_COMPLETE;
    staged_list_give(&mask);
}

void staged_retain(const struct staged *one, bool retained)
{
    sigset_t mask;
    staged_list_take(&mask);
    for (struct staged *staged = list; staged; staged = staged->next)
        if (staged_is_same(one, staged))
            staged->retained = retained;
    staged_list_give(&mask);
}
