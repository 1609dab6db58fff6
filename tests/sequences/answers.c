/* Distances as they are right, and lists. */
#include "base/dtype.h"
#include "sequences.h"

#include <math.h>

int64_t answer_whole(const struct slot *slot, size_t i, size_t j)
{
    const struct sample *sample = slot->sample;
    const int64_t whole = sample->whole ? sample->whole[i * sample->n + j] : INF_I64;
    return whole == INF_I64
               ? INF_I64
               : (int64_t)((long double)whole * slot->facts->scale / (long double)sample->factor);
}

bool answer_is_near(const struct slot *slot, double found, size_t i, size_t j)
{
    const double right = slot->sample->distance[i * slot->sample->n + j];
    return isinf(right) ? found == right : fabs(found - right) <= slot->tolerance;
}

/* A distance in the unit of rows. Some irregular weights are integral by a large power of two. */
static bool is_whole(const struct slot *slot, int64_t found, size_t i, size_t j)
{
    return slot->sample->irregular ? answer_is_near(slot, (double)found / slot->facts->scale, i, j)
                                   : found == answer_whole(slot, i, j);
}

static bool is_entry(const struct slot *slot, int64_t found, int64_t unreachable, size_t i,
                     size_t j)
{
    if (isinf(slot->sample->distance[i * slot->sample->n + j]))
        return found == unreachable;
    return found < unreachable && is_whole(slot, found, i, j);
}

bool answer_is_right(const struct slot *slot, const void *values, size_t k, size_t i, size_t j)
{
    const double right = slot->sample->distance[i * slot->sample->n + j];
    switch (slot->facts->type) {
    case APSP_U16:
        return is_entry(slot, ((const uint16_t *)values)[k], APSP_UNREACHABLE_U16, i, j);
    case APSP_I32:
        return is_entry(slot, ((const int32_t *)values)[k], APSP_UNREACHABLE_I32, i, j);
    case APSP_I64:
        return is_entry(slot, ((const int64_t *)values)[k], APSP_UNREACHABLE_I64, i, j);
    case APSP_F32:
        return ((const float *)values)[k] == (float)right ||
               answer_is_near(slot, (double)((const float *)values)[k], i, j);
    default:
        return answer_is_near(slot, ((const double *)values)[k], i, j);
    }
}

bool answer_has(const struct slot *slot, int64_t whole, double real, size_t i, size_t j)
{
    const double right = slot->sample->distance[i * slot->sample->n + j];
    if (isinf(right) || slot->facts->type >= APSP_F32)
        return whole == 0 && (answer_is_near(slot, real, i, j) ||
                              (slot->facts->type == APSP_F32 && real == (double)(float)right));
    return is_whole(slot, whole, i, j) && (slot->facts->scale != 1 || real == right);
}

/* So many of 0 .. n - 1 without one that is listed twice: Fisher and Yates' shuffle. */
static void list_shuffle(struct drawn_list *drawn, uint64_t *random, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        drawn->vertex[k] = k;
    for (uint32_t k = 0; k + 1 < n; k++) {
        const uint32_t other = draw(random, k, n - 1), vertex = drawn->vertex[k];
        drawn->vertex[k] = drawn->vertex[other];
        drawn->vertex[other] = vertex;
    }
}

void draw_list(struct drawn_list *drawn, uint64_t *random, uint32_t n, enum list_kind kind)
{
    const uint32_t size = draw(random, 0, 9);
    uint32_t count = size == 0   ? 0
                     : size == 1 ? 1
                     : size == 2 ? n
                     : size < 6  ? draw(random, 1, n / 8 + 1)
                                 : draw(random, 1, n);
    drawn->list = (struct apsp_list){drawn->vertex, count};
    list_shuffle(drawn, random, n);
    if (size == 9)
        drawn->list = (struct apsp_list){NULL, 0};
    if (kind == LIST_DISTINCT || draw_one_in(random, 2))
        return;
    drawn->list.count = count += draw_one_in(random, 4) ? draw(random, 0, n) : 0;
    for (uint32_t k = 0; k < count; k++)
        drawn->vertex[k] = draw(random, 0, n - 1);
}
