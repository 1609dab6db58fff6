/* The distances within which amounts are. */
#include "rows/access_row.h"

void access_begin_near(const struct access *access, struct access_row *row)
{
    for (size_t c = 0; access->plan.shares > 0 && c < access->plan.columns; c++)
        pile_empty(&row->pile[c]);
}

int access_add_near(const struct access *access, struct access_lane *lane, struct access_row *row,
                    struct part *part, struct apsp_error *error)
{
    const size_t kinds = access->plan.columns;
    for (size_t c = 0; access->plan.shares > 0 && c < kinds; c++) {
        const double *amount = part->amount + c * DECAY_BLOCK;
        struct pile *pile = &row->pile[c];
        if (!(part->low < pile->limit) || part->all[c] == 0)
            continue;
        access_widen(access, lane, part);
        for (size_t j = 0; j < part->count; j++)
            if (amount[j] > 0 && lane->raw[j] < pile->limit &&
                !pile_add(pile, (struct near){lane->raw[j], amount[j]}, access->most))
                return error_set(error, APSP_MEMORY, "no memory for accessibility on %s",
                                 access->task->comm->host);
    }
    return APSP_OK;
}

void access_end_near(const struct access *access, struct access_row *row)
{
    const struct access_plan *plan = &access->plan;
    const size_t each = plan->decays + plan->shares;
    for (size_t c = 0; plan->shares > 0 && c < plan->columns; c++) {
        pile_sort(&row->pile[c]);
        for (size_t k = 0; k < plan->shares; k++)
            row->value[c * each + plan->decays + k] =
                pile_within(&row->pile[c], plan->share[k]) / access->factor;
    }
}
