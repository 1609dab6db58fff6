#ifdef APSP_METIS
#include "sparse/region.h"

#include "base/mem.h"

bool region_open(struct region *region, size_t n, size_t edges)
{
    *region = (struct region){.n = (idx_t)n};
    region->start = mem_alloc(mem_bytes(n + 1, sizeof *region->start));
    region->to = mem_alloc(mem_bytes(edges, sizeof *region->to));
    region->name = mem_alloc(mem_bytes(n, sizeof *region->name));
    region->label = mem_alloc(mem_bytes(n, sizeof *region->label));
    region->parts = 1;
    return region->start && region->to && region->name && region->label;
}

void region_free(struct region *region)
{
    mem_free(region->label);
    mem_free(region->name);
    mem_free(region->to);
    mem_free(region->start);
    *region = (struct region){0};
}

bool split_open(struct split *split, size_t n)
{
    split->mark = mem_alloc(mem_bytes(n, 3 * sizeof *split->mark));
    split->member = split->mark + n;
    split->number = split->member + n;
    return split->mark != NULL;
}

void split_free(struct split *split)
{
    mem_free(split->mark);
    *split = (struct split){0};
}

bool region_part(struct region *part, const struct region *whole, struct split *split,
                 const idx_t *member, size_t count)
{
    size_t edges = 0;
    for (size_t i = 0; i < count; i++) {
        split->number[member[i]] = (idx_t)i;
        edges += (size_t)(whole->start[member[i] + 1] - whole->start[member[i]]);
    }
    if (!region_open(part, count, edges))
        return false;
    idx_t at = 0, which = split->mark[member[0]];
    part->first = whole->first;
    part->parts = whole->parts;
    for (size_t i = 0; i < count; i++) {
        idx_t v = member[i];
        part->name[i] = whole->name[v];
        part->label[i] = whole->label[v];
        for (idx_t e = whole->start[v]; e < whole->start[v + 1]; e++)
            if (split->mark[whole->to[e]] == which)
                part->to[at++] = split->number[whole->to[e]];
        part->start[i + 1] = at;
    }
    return true;
}

idx_t region_components(const struct region *region, struct split *split)
{
    idx_t *mark = split->mark, *member = split->member, count = 0, done = 0, found = 0;
    for (idx_t v = 0; v < region->n; v++)
        mark[v] = -1;
    for (idx_t root = 0; root < region->n; root++) {
        if (mark[root] >= 0)
            continue;
        mark[root] = count;
        member[found++] = root;
        while (done < found) {
            idx_t v = member[done++];
            for (idx_t e = region->start[v]; e < region->start[v + 1]; e++) {
                if (mark[region->to[e]] >= 0)
                    continue;
                mark[region->to[e]] = count;
                member[found++] = region->to[e];
            }
        }
        count++;
    }
    return count;
}

void region_trim(const struct region *region, struct split *split, idx_t size[3])
{
    idx_t *side = split->mark, next[3];
    size[LEFT] = size[RIGHT] = size[SEPARATOR] = 0;
    for (idx_t v = 0; v < region->n; v++) {
        bool touches[3] = {false, false, false};
        for (idx_t e = region->start[v]; side[v] == SEPARATOR && e < region->start[v + 1]; e++)
            touches[side[region->to[e]]] = true;
        if (side[v] == SEPARATOR && !touches[LEFT])
            side[v] = RIGHT;
        else if (side[v] == SEPARATOR && !touches[RIGHT])
            side[v] = LEFT;
        size[side[v]]++;
    }
    next[LEFT] = 0;
    next[RIGHT] = size[LEFT];
    next[SEPARATOR] = size[LEFT] + size[RIGHT];
    for (idx_t v = 0; v < region->n; v++)
        split->member[next[side[v]]++] = v;
}

/* A vertex that another cut has moved over gets the label of a neighbour. */
static void mend_labels(struct region *region)
{
    const int first = region->first, end = first + region->parts;
    bool mended = true;
    for (bool upwards = true; mended; upwards = !upwards) {
        mended = false;
        for (idx_t i = 0; i < region->n; i++) {
            const idx_t v = upwards ? i : region->n - 1 - i;
            for (idx_t e = region->start[v];
                 (region->label[v] < first || region->label[v] >= end) && e < region->start[v + 1];
                 e++) {
                const int label = region->label[region->to[e]];
                if (label < first || label >= end)
                    continue;
                region->label[v] = (uint8_t)label;
                mended = true;
            }
        }
    }
}

bool region_cut(struct region *region, struct split *split)
{
    const int middle = region->first + region->parts / 2;
    if (region->parts == 1)
        return false;
    mend_labels(region);
    for (idx_t v = 0; v < region->n; v++)
        split->mark[v] = region->label[v] < middle ? LEFT : RIGHT;
    if (band_cut(split->mark, (size_t)region->n, region->start, region->to))
        return true;
    region->parts = 1;
    return false;
}
#else
typedef int region_without_metis; /* a file is not empty */
#endif
