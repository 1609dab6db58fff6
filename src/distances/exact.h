/*
 * Rows of reals that are to be exact: where a scale makes all weights whole, so are the distances,
 * and each value is to be its distance divided by the scale, rounded once.
 *
 * A value of f64 tells which integer it stands for (scale.h), so the row that these make is
 * the one that the certificate is to take. Values of f32 need not tell, and other rows
 * lack columns or have another order: a search finds the distances then, the certificate proves
 * them, and what they round to is compared.
 */
#ifndef EXACT_H
#define EXACT_H

#include "distances/distances.h"
#include "proof/certify.h"
#include "proof/potential.h"

struct exact {
    struct certificate certificate; /* of the whole weights, with their scale */
    struct potential potential;     /* of these; used by searches alone (exact_searches) */
};

/* Whether rows of this file are found by searches. */
bool exact_searches(const struct distances *distances);

/* Work space of one thread for rows of that file, of a floating-point type. NULL when memory is
 * short. */
struct exact_space;
struct exact_space *exact_space_new(const struct distances *distances);
void exact_space_free(struct exact_space *space); /* NULL is allowed */
size_t exact_need(const struct distances *distances);

/* True if `given`, what the file has for vertex i, is exact. Otherwise fills why as certify_row
 * does; `tree` is as there. */
bool exact_row(const struct exact *exact, struct exact_space *space, size_t i, const void *given,
               int32_t *tree, char why[CERTIFY_WHY]);

#endif
