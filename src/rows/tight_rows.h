/* Rows to the sums of tight.h, where they are: cores take those of the host, and a device its
 * own. */
#ifndef TIGHT_ROWS_H
#define TIGHT_ROWS_H

#include "rows/tight_device.h"

/* All workers share it. */
struct tight_rows {
    const struct tight_task *task;
    struct tight_device *device; /* NULL: no row was there, or there is no memory. */
    bool refused;                /* There was no memory. */
};

/* Whether a device, if there is one, takes rows of a type. */
bool tight_rows_on_device(const struct tight_task *task);

/* Takes a block. The work space of the worker is made when it is needed. Errors are those of
 * tight_take, and APSP_MEMORY. */
int tight_rows_take(struct tight_rows *rows, int lane, struct tight **tight,
                    const struct block *block, struct apsp_error *error);

/* Adds the sums of the device, if any. APSP_DEVICE. */
int tight_rows_end(struct tight_rows *rows, struct fixed_sum *vertex, struct fixed_sum *arc,
                   struct apsp_error *error);
void tight_rows_free(struct tight_rows *rows);

#endif
