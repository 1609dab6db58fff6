/* A hash table with linear probing over one string of all names; the hash is XXH3
 * (https://xxhash.com). */
#include "graph/names.h"

#include "base/digits.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/size.h"
#include "base/text.h"
#include "comm/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define EMPTY UINT32_MAX

enum {
    SLOTS_LEAST = SIZE_OF(1 << 10, 4),
    TEXT_LEAST = SIZE_OF(1 << 14, 20),
    DIGITS = 19,
    LABEL_NUMBER = 10
};

struct names *names_new(void)
{
    struct names *names = calloc(1, sizeof *names);
    if (names)
        *names = (struct names){.numbers = true};
    return names;
}

void names_free(struct names *names)
{
    if (!names)
        return;
    free(names->start);
    free(names->text);
    mem_free(names->slot);
    free(names);
}

static int short_of(size_t count, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "no memory for the names of %zu vertices", count);
}

static uint32_t hash_of(const char *text, size_t length)
{
    return (uint32_t)XXH3_64bits(text, length);
}

/* The slot that holds the name, or the empty one where it would be. */
static struct names_slot *probe(const struct names *names, const char *text, size_t length,
                                uint32_t hash)
{
    size_t mask = names->slots - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        struct names_slot *slot = &names->slot[at];
        if (slot->vertex == EMPTY)
            return slot;
        if (slot->hash != hash)
            continue;
        size_t start = slot->start;
        if (length < names->used - start && memcmp(names->text + start, text, length) == 0 &&
            names->text[start + length] == '\0')
            return slot;
    }
}

/* As many slots as keep a table of so many names at most half full, all empty. */
static bool make_slots(struct names *names, size_t count)
{
    size_t slots = SLOTS_LEAST;
    while (slots / 2 < count)
        slots *= 2;
    struct names_slot *fresh = mem_alloc(mem_bytes(slots, sizeof *fresh));
    if (!fresh)
        return false;
    memset(fresh, 0xff, slots * sizeof *fresh);
    mem_free(names->slot);
    names->slot = fresh;
    names->slots = slots;
    return true;
}

/* Where no name is twice: the first empty slot. */
static void put_slot(struct names *names, struct names_slot entry)
{
    size_t at = entry.hash & (names->slots - 1);
    while (names->slot[at].vertex != EMPTY)
        at = (at + 1) & (names->slots - 1);
    names->slot[at] = entry;
}

static bool grow_slots(struct names *names)
{
    struct names_slot *old = names->slot;
    size_t count = names->slots;
    names->slot = NULL;
    if (!make_slots(names, names->count + 1)) {
        names->slot = old;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (old[i].vertex != EMPTY)
            put_slot(names, old[i]);
    mem_free(old);
    return true;
}

/* Room for one more name of that length. */
static bool grow_text(struct names *names, size_t length)
{
    size_t need, room = names->room < TEXT_LEAST ? TEXT_LEAST : names->room;
    if (!mem_add(&need, names->used, length + 1))
        return false;
    while (room < need)
        mem_mul(&room, room, 2);
    if (room > names->room) {
        char *text = realloc(names->text, room);
        if (!text)
            return false;
        names->text = text;
        names->room = room;
    }
    if (names->count == names->starts) {
        size_t starts = names->starts < SLOTS_LEAST ? SLOTS_LEAST : 2 * names->starts;
        size_t *start = realloc(names->start, mem_bytes(starts, sizeof *start));
        if (!start)
            return false;
        names->start = start;
        names->starts = starts;
    }
    return true;
}

static void note_number(struct names *names, const char *text, size_t length)
{
    uint64_t value;
    names->numbers = names->numbers && length <= DIGITS && !(text[0] == '0' && length > 1) &&
                     number_parse(text, 0, INT64_MAX, &value);
}

int names_take(struct names *names, const char *text, size_t length, uint32_t *vertex,
               struct apsp_error *error)
{
    uint32_t hash = hash_of(text, length);
    if (names->count >= names->slots / 2 && !grow_slots(names))
        return short_of(names->count, error);
    struct names_slot *slot = probe(names, text, length, hash);
    if (slot->vertex == EMPTY) {
        if (names->count == NAMES_MAX)
            return error_set(error, APSP_INPUT, "more than %d vertices", NAMES_MAX);
        if (!grow_text(names, length))
            return short_of(names->count, error);
        char *name = names->text + names->used;
        memcpy(name, text, length);
        name[length] = '\0';
        note_number(names, name, length);
        *slot = (struct names_slot){(uint32_t)names->count, hash, names->used};
        names->start[names->count++] = names->used;
        names->used += length + 1;
    }
    *vertex = slot->vertex;
    return APSP_OK;
}

bool names_find(const struct names *names, const char *text, size_t length, uint32_t *vertex)
{
    const struct names_slot *slot =
        names->slots > 0 ? probe(names, text, length, hash_of(text, length)) : NULL;
    if (!slot || slot->vertex == EMPTY)
        return false;
    *vertex = slot->vertex;
    return true;
}

const char *names_like(const struct names *names, const char *text)
{
    const char *longer = NULL;
    size_t length = strlen(text), found = 0;
    for (size_t v = 0; v < names->count; v++) {
        const char *name = names_at(names, v);
        if (text_alike(name, text, SIZE_MAX))
            return name;
        if (text_alike(name, text, length)) {
            longer = name;
            found++;
        }
    }
    return found == 1 ? longer : NULL;
}

uint32_t names_ask(const struct names *names, const char *text, size_t length)
{
    uint32_t hash = hash_of(text, length);
    if (names->slots > 0)
        __builtin_prefetch(&names->slot[hash & (names->slots - 1)]);
    return hash;
}

void names_ask_text(const struct names *names, uint32_t hash)
{
    const size_t mask = names->slots - 1;
    for (size_t at = hash & mask; names->slots > 0 && names->slot[at].vertex != EMPTY;
         at = (at + 1) & mask)
        if (names->slot[at].hash == hash) {
            __builtin_prefetch(names->text + names->slot[at].start);
            return;
        }
}

/* The shorter of two integers without leading zeros is less. */
static int order_of_names(const void *a, const void *b, void *self)
{
    const struct names *names = self;
    const char *x = names->text + *(const size_t *)a, *y = names->text + *(const size_t *)b;
    size_t length_x = names->numbers ? strlen(x) : 0, length_y = names->numbers ? strlen(y) : 0;
    return length_x != length_y ? (length_x > length_y) - (length_x < length_y) : strcmp(x, y);
}

int names_index(struct names *names, struct apsp_error *error)
{
    if (!make_slots(names, names->count))
        return short_of(names->count, error);
    for (size_t v = 0; v < names->count; v++) {
        const char *name = names_at(names, v);
        put_slot(names,
                 (struct names_slot){(uint32_t)v, hash_of(name, strlen(name)), names->start[v]});
    }
    return APSP_OK;
}

int names_sort(struct names *names, struct apsp_error *error)
{
    qsort_r(names->start, names->count, sizeof *names->start, order_of_names, names);
    return names_index(names, error);
}

int names_share(struct names **names, struct comm *comm, struct apsp_error *error)
{
    struct names head = *names ? **names : (struct names){0};
    comm_broadcast(comm, &head, sizeof head, 0);
    if (head.count == 0)
        return error->code;
    if (comm->rank != 0) {
        struct names *own = *names = names_new();
        if (own) {
            *own = (struct names){.count = head.count, .used = head.used, .numbers = head.numbers};
            own->text = malloc(own->used);
            own->start = malloc(mem_bytes(own->count, sizeof *own->start));
        }
        if (!own || !own->text || !own->start)
            short_of(head.count, error);
    }
    if (comm_agree(comm, error))
        return error->code;
    comm_broadcast(comm, (*names)->text, head.used, 0);
    comm_broadcast(comm, (*names)->start, head.count * sizeof *head.start, 0);
    return APSP_OK;
}

const char *label_text(struct labels labels, size_t vertex, char text[LABEL_SHOWN])
{
    if (labels.names)
        return names_at(labels.names, vertex);
    snprintf(text, LABEL_SHOWN, "%zu", vertex + labels.first);
    return text;
}

void label_print_json(FILE *out, struct labels labels, size_t vertex)
{
    if (labels.names)
        text_print_json(out, names_at(labels.names, vertex));
    else
        fprintf(out, "%zu", vertex + labels.first);
}

char *label_put_json(char *out, struct labels labels, size_t vertex)
{
    return labels.names ? text_put_json(out, names_at(labels.names, vertex))
                        : digits_natural(out, vertex + labels.first);
}

char *label_put_csv(char *out, struct labels labels, size_t vertex)
{
    if (labels.names)
        return text_put_csv(out, names_at(labels.names, vertex));
    return digits_natural(out, vertex + labels.first);
}

/* Bytes of a name in quotes, at `each` for a character. */
static size_t label_most(struct labels labels, size_t each)
{
    size_t longest = 0;
    for (size_t v = 0; labels.names && v < labels.names->count; v++) {
        const size_t length = strlen(names_at(labels.names, v));
        longest = length > longest ? length : longest;
    }
    return labels.names ? each * longest + sizeof "\"\"" : LABEL_NUMBER;
}

size_t label_csv_most(struct labels labels)
{
    return label_most(labels, 2);
}

size_t label_json_most(struct labels labels)
{
    return label_most(labels, TEXT_JSON);
}

char *label_show(struct labels labels, size_t vertex, char text[LABEL_SHOWN])
{
    static const char cut[] = "...";
    const char *whole = label_text(labels, vertex, text);
    size_t length = strlen(whole);
    if (whole == text)
        return text;
    snprintf(text, LABEL_SHOWN, "%.*s%s", (int)(LABEL_SHOWN - sizeof cut), whole,
             length > LABEL_SHOWN - sizeof cut ? cut : "");
    return text;
}

bool label_find(struct labels labels, size_t n, const char *text, size_t *vertex)
{
    uint64_t number;
    uint32_t found;
    if (labels.names) {
        if (!names_find(labels.names, text, strlen(text), &found))
            return false;
        *vertex = found;
        return true;
    }
    if (!number_parse(text, labels.first, labels.first + n - 1, &number))
        return false;
    *vertex = (size_t)number - labels.first;
    return true;
}
