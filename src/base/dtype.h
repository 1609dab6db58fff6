/* The types of distances. One row of the table is one type. */
#ifndef DTYPE_H
#define DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of computations, and types of files alone, whose rows are of another type.
 */
enum dtype {
    DTYPE_U16,
    DTYPE_I32,
    DTYPE_I64,
    DTYPE_F32,
    DTYPE_F64,
    DTYPE_COUNT,
    DTYPE_U8 = DTYPE_COUNT,
    DTYPE_ALL
};

/* "Unreachable", for integers: the sum of two still fits. Reals use the infinity of IEEE 754.
 */
#define INF_U16 ((uint16_t)32767)                /* 2^15 - 1 */
#define INF_I32 ((int32_t)1073741823)            /* 2^30 - 1 */
#define INF_I64 ((int64_t)4611686018427387903LL) /* 2^62 - 1 */

/*
 * Distances are computed with `infinity` and given out with `unreachable`: rows and files contain
 * the latter alone. They differ for u16, where rows hold distances up to 65,534. Types of files
 * alone have no infinity.
 */
struct dtype_info {
    const char *name;
    size_t bytes;
    int64_t infinity;    /* of an integer type: what is computed stays below it */
    int64_t unreachable; /* of an integer type, in rows: every distance is smaller */
    bool real;
    bool natural;      /* no number is below 0 */
    enum dtype output; /* default type of the rows of its distances */
    enum dtype rows;   /* type of the rows for files of this type */
    int digits; /* bits of an integer that a floating-point type holds exactly; 0 for the others */
};

extern const struct dtype_info dtype_info[DTYPE_ALL];

/* The type of that name, or -1. */
int dtype_find(const char *name);
/* The names of the types to compute in and of those of files, comma-separated, for messages and
 * help. */
const char *dtype_names(void);
const char *dtype_file_names(void);

#endif
