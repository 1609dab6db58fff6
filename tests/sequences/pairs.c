/* Pairs of vertices: all, the nearest ones, and those within a distance. */
#include "sequences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A request and what was found for one vertex of its first list. */
struct part {
    const struct question *question;
    const struct apsp_pairs_request *request;
    const struct apsp_pair *pair;
    size_t count, from;
    bool found[N_MAX];
};

static double distance_to(const struct part *part, size_t to)
{
    const struct sample *sample = part->question->slot->sample;
    return sample->distance[part->from * sample->n + to];
}

/* Whether a is nearer than b, as far as the engine can tell them apart. */
static bool is_nearer(const struct part *part, size_t a, size_t b)
{
    const struct slot *slot = part->question->slot;
    if (slot->tolerance > 0)
        return distance_to(part, a) < distance_to(part, b) - 2 * slot->tolerance;
    const int64_t *row = slot->sample->whole + part->from * slot->sample->n;
    return row[a] < row[b] || (row[a] == row[b] && a < b);
}

/* How far beyond the bound a vertex is. An integer of more than 53 bits is no double. */
static long double excess_of(const struct part *part, size_t to)
{
    const struct sample *sample = part->question->slot->sample;
    const bool integral = sample->whole && sample->factor == 1;
    return (integral ? (long double)sample->whole[part->from * sample->n + to]
                     : (long double)distance_to(part, to)) -
           (long double)part->request->within;
}

static bool is_candidate(const struct part *part, size_t to)
{
    const struct apsp_list *list = &part->request->to;
    if (!list->vertex)
        return to != part->from;
    for (size_t j = 0; j < list->count; j++)
        if (list->vertex[j] == to)
            return true;
    return false;
}

static size_t place_of(const struct apsp_list *list, size_t vertex)
{
    size_t place = 0;
    while (list_at(list, place) != vertex)
        place++;
    return place;
}

/* The pairs found are wanted, once, in the right order. */
static void part_check_found(struct part *part)
{
    const struct question *question = part->question;
    const struct slot *slot = question->slot;
    const struct apsp_pairs_request *request = part->request;
    for (size_t k = 0; k < part->count; k++) {
        const struct apsp_pair *pair = &part->pair[k];
        if (pair->to >= slot->sample->n || !is_candidate(part, pair->to) || part->found[pair->to])
            wrong(question, "pair %u, %u is not asked for, or is listed twice", pair->from,
                  pair->to);
        part->found[pair->to] = true;
        if (isinf(distance_to(part, pair->to)) ||
            !answer_has(slot, pair->whole, pair->real, pair->from, pair->to))
            wrong(question, "pair %u, %u: %lld, %g, and not the distance %g", pair->from, pair->to,
                  (long long)pair->whole, pair->real, distance_to(part, pair->to));
        if (request->bounded && excess_of(part, pair->to) > slot->tolerance)
            wrong(question, "pair %u, %u: %g is not within %g", pair->from, pair->to, pair->real,
                  request->within);
        if (k > 0 && (request->nearest
                          ? is_nearer(part, pair->to, pair[-1].to)
                          : place_of(&request->to, pair->to) < place_of(&request->to, pair[-1].to)))
            wrong(question, "pair %u, %u is not in order", pair->from, pair->to);
    }
    if (request->nearest && part->count > request->nearest)
        wrong(question, "%zu pairs from %zu, and %zu are asked for", part->count, part->from,
              request->nearest);
}

/* All other candidates are too far away, or less near than those found. */
static void part_check_others(const struct part *part)
{
    const struct question *question = part->question;
    const struct slot *slot = question->slot;
    const struct apsp_pairs_request *request = part->request;
    const bool full = request->nearest && part->count == request->nearest;
    for (size_t v = 0; v < slot->sample->n; v++) {
        const double distance = distance_to(part, v);
        if (part->found[v] || isinf(distance) || !is_candidate(part, v))
            continue;
        if (request->bounded && excess_of(part, v) > -slot->tolerance)
            continue;
        if (!full || is_nearer(part, v, part->pair[part->count - 1].to))
            wrong(question, "pair %zu, %zu at distance %g is not there", part->from, v, distance);
    }
}

static void pairs_check(const struct question *question, const struct apsp_pairs_request *request,
                        const struct apsp_pairs *pairs)
{
    const size_t rows = list_count(&request->from, question->slot->sample->n);
    size_t at = 0;
    for (size_t k = 0; k < rows; k++) {
        struct part part = {.question = question,
                            .request = request,
                            .pair = pairs->pair + at,
                            .from = list_at(&request->from, k)};
        while (at + part.count < pairs->count && part.pair[part.count].from == part.from)
            part.count++;
        part_check_found(&part);
        part_check_others(&part);
        at += part.count;
    }
    if (at != pairs->count)
        wrong(question, "pair %zu of %zu is from %u", at, pairs->count, pairs->pair[at].from);
}

static int pairs_find(struct question *question, bool nearest, bool bounded)
{
    const struct slot *slot = question->slot;
    const struct sample *sample = slot->sample;
    uint64_t *random = &question->random;
    struct drawn_list from, to;
    struct apsp_pairs pairs;
    draw_list(&from, random, sample->n, LIST_DISTINCT);
    draw_list(&to, random, sample->n, LIST_DISTINCT);
    const double some = sample->distance[draw(random, 0, sample->n * sample->n - 1)];
    const struct apsp_pairs_request request = {.from = from.list,
                                               .to = to.list,
                                               .nearest =
                                                   nearest ? draw(random, 1, sample->n / 3 + 1) : 0,
                                               .bounded = bounded,
                                               .within = isinf(some) ? sample->heaviest : some};
    memset(&pairs, 0xff, sizeof pairs);
    if (ASK(question, apsp_find_pairs(slot->solution, &request, &pairs, &question->error)) ==
        APSP_OK)
        pairs_check(question, &request, &pairs);
    else if (pairs.pair || pairs.count > 0)
        wrong(question, "%zu pairs beside status %d", pairs.count, question->error.code);
    apsp_pairs_free(&pairs);
    return question->error.code;
}

int pairs_ask(struct question *question)
{
    return pairs_find(question, false, false);
}

int nearest_ask(struct question *question)
{
    const bool bounded = draw_one_in(&question->random, 3);
    return pairs_find(question, true, bounded);
}

int within_ask(struct question *question)
{
    return pairs_find(question, false, true);
}
