#include "distances/exact.h"

#include "base/mem.h"
#include "base/plain.h"
#include "base/typed.h"
#include "proof/search.h"
#include "rows/convert.h"

#include <math.h>
#include <stdlib.h>

struct exact_space {
    const struct distances *distances;
    struct certify_space *certify;
    struct search *search; /* where there are searches */
    int64_t *whole;        /* the row times the scale, */
    void *rounded;         /* and what that is in the file's type */
};

bool exact_searches(const struct distances *distances)
{
    return distances->dtype == DTYPE_F32 || !distances_are_natural(distances);
}

size_t exact_need(const struct distances *distances)
{
    const size_t n = distances->graph->n;
    size_t all = mem_bytes(n, sizeof(int64_t) + dtype_info[distances->dtype].bytes);
    mem_add(&all, all, certify_need(n, DTYPE_I64));
    mem_add(&all, all, exact_searches(distances) ? search_need(n) : 0);
    return all;
}

struct exact_space *exact_space_new(const struct distances *distances)
{
    const size_t n = distances->graph->n;
    const bool searches = exact_searches(distances);
    struct exact_space *space = calloc(1, sizeof *space);
    if (!space)
        return NULL;
    space->distances = distances;
    space->certify = certify_space_new(n, DTYPE_I64);
    space->search = searches ? search_new(n) : NULL;
    space->whole = malloc(mem_bytes(n, sizeof *space->whole));
    space->rounded = malloc(mem_bytes(n, dtype_info[distances->dtype].bytes));
    if (space->certify && space->whole && space->rounded && (space->search || !searches))
        return space;
    exact_space_free(space);
    return NULL;
}

void exact_space_free(struct exact_space *space)
{
    if (!space)
        return;
    certify_space_free(space->certify);
    search_free(space->search);
    free(space->whole);
    free(space->rounded);
    free(space);
}

static double value_at(const struct exact_space *space, const void *row, size_t v)
{
    return typed_get(space->distances->dtype, row, v).real;
}

static void round_all(const struct exact *exact, const struct exact_space *space)
{
    const struct packing packing = {DTYPE_I64, space->distances->dtype, exact->certificate.scale};
    convert_pack(&packing, space->whole, space->rounded, space->distances->graph->n);
}

/* Each value to the integer that it stands for; false if rounding does not give that value. */
static bool find_whole(const struct exact *exact, const struct exact_space *space, size_t i,
                       const void *given, char *why)
{
    const size_t n = space->distances->graph->n;
    const struct certificate *certificate = &exact->certificate;
    for (size_t v = 0; v < n; v++) {
        const double value = value_at(space, given, v);
        if (fabs(value) * scale_factor(certificate->scale) <= 0x1p53)
            space->whole[v] = scale_whole(certificate->scale, value);
        else
            space->whole[v] = INF_I64;
    }
    round_all(exact, space);
    for (size_t v = 0; v < n; v++)
        if (value_at(space, space->rounded, v) != value_at(space, given, v)) {
            char scale[SCALE_TEXT];
            plain_print(
                why, CERTIFY_WHY,
                "row %s: vertex %s has %.17g, which is not a multiple of 1/%s, rounded once",
                LABEL(certificate->labels, i), LABEL(certificate->labels, v),
                value_at(space, given, v), scale_print(certificate->scale, scale));
            return false;
        }
    return true;
}

/* The distances of vertex i, proved. */
static bool search_whole(const struct exact *exact, const struct exact_space *space, size_t i,
                         int32_t *tree, char *why)
{
    const struct certificate *certificate = &exact->certificate;
    search_row(space->search, certificate->edges, &exact->potential, i, DTYPE_I64, space->whole);
    return certify_row(certificate, space->certify, i, space->whole, tree, why);
}

static bool compare(const struct exact *exact, const struct exact_space *space, size_t i,
                    const void *given, char *why)
{
    const struct certificate *certificate = &exact->certificate;
    const struct distances *distances = space->distances;
    round_all(exact, space);
    for (size_t k = 0; k < distances->columns; k++) {
        const size_t v = distances_target(distances, k);
        const double value = value_at(space, given, k), right = value_at(space, space->rounded, v);
        const bool leads = space->whole[v] != INF_I64;
        if (value == right && isinf(value) != leads)
            continue;
        if (leads && isinf(right)) { /* too far for the type is not unreachable */
            plain_print(why, CERTIFY_WHY,
                        "row %s: vertex %s has %.17g, and its distance is beyond %s",
                        LABEL(certificate->labels, i), LABEL(certificate->labels, v), value,
                        dtype_info[distances->dtype].name);
            return false;
        }
        plain_print(why, CERTIFY_WHY,
                    "row %s: vertex %s has %.17g, and its distance, rounded once, is %.17g",
                    LABEL(certificate->labels, i), LABEL(certificate->labels, v), value, right);
        return false;
    }
    return true;
}

bool exact_row(const struct exact *exact, struct exact_space *space, size_t i, const void *given,
               int32_t *tree, char why[CERTIFY_WHY])
{
    const struct distances *distances = space->distances;
    if (distances_are_natural(distances) && find_whole(exact, space, i, given, why) &&
        certify_row(&exact->certificate, space->certify, i, space->whole, tree, why))
        return true;
    return space->search && search_whole(exact, space, i, tree, why) &&
           compare(exact, space, i, given, why);
}
