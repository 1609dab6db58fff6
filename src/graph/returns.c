#include "graph/returns.h"

#include "base/setting.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The slot of that key, or the empty one where it belongs. */
static struct returns_slot *find_slot(struct returns *returns, uint64_t key)
{
    size_t at = (key >> 32) % RETURNS_SLOTS;
    while (returns->slot[at].key != 0 && returns->slot[at].key != key)
        at = (at + 1) % RETURNS_SLOTS;
    return &returns->slot[at];
}

static void add_key(struct returns *returns, uint64_t key, bool up)
{
    struct returns_slot *slot = find_slot(returns, key);
    returns->found |= slot->key == key && slot->up != up;
    returns->pairs += slot->key == 0;
    *slot = (struct returns_slot){key, up};
}

/* Leaves half of the pairs. Keys are the same for both directions, so that these stay together. */
static void halve(struct returns *returns)
{
    struct returns_slot *old = malloc(sizeof returns->slot);
    if (!old) {
        returns->found = true; /* nothing is said then */
        return;
    }
    memcpy(old, returns->slot, sizeof returns->slot);
    memset(returns->slot, 0, sizeof returns->slot);
    returns->mask = 2 * returns->mask + 1;
    returns->pairs = 0;
    for (size_t i = 0; i < RETURNS_SLOTS; i++)
        if (old[i].key != 0 && (old[i].key & returns->mask) == 0)
            add_key(returns, old[i].key, old[i].up);
    free(old);
}

void returns_add(struct returns *returns, const struct field end[2])
{
    const uint64_t from = XXH3_64bits(end[0].text, end[0].length),
                   to = XXH3_64bits(end[1].text, end[1].length),
                   both[] = {from < to ? from : to, from < to ? to : from},
                   key = XXH3_64bits(both, sizeof both);
    if (returns->found || from == to || key == 0 || (key & returns->mask) != 0)
        return;
    if (returns->pairs == RETURNS_SLOTS / 2)
        halve(returns);
    if ((key & returns->mask) == 0)
        add_key(returns, key, from < to);
}

bool returns_lack(const struct returns *returns)
{
    enum { SEVERAL = 3 };
    return !returns->found && returns->pairs >= SEVERAL;
}

void returns_note(const struct returns *returns, struct graph *graph)
{
    if (returns_lack(returns) && !graph->options.directed && !graph->options.undirected)
        graph_warn(
            graph,
            "no edge leads back: %s takes each for both directions, %s says that they are meant so",
            SETTING(UNDIRECTED), SETTING(DIRECTED));
}
