/* Matrices of numbers as they are in memory, row by row or column by column; for the formats that
 * are that.
 */
#ifndef CELLS_H
#define CELLS_H

#include "distances/format.h"

struct cells { /* distances->own */
    struct numbers numbers;
    bool lower; /* column by column, the entries on and below the diagonal alone: it is symmetric */
};

/* A zeroed one, whose numbers are of the file. NULL, and an error, without memory. */
struct cells *cells_new(struct distances *distances, struct apsp_error *error);

/* The numbers are an array of NumPy, at `where` in their file: reads its head. APSP_INPUT, APSP_IO.
 */
int cells_open(struct distances *distances, struct range where, struct apsp_error *error);
/* For the rows of the table. */
int cells_read(const struct distances *distances, struct range rows, struct range columns,
               union value *values, struct apsp_error *error);
void cells_close(struct distances *distances);

#endif
