/* The types of distances. One row of the table is one type. */
#ifndef DTYPE_H
#define DTYPE_H

#include <stddef.h>
#include <stdint.h>

enum dtype { DTYPE_I32, DTYPE_COUNT };

#define INF_I32 ((int32_t)1073741823) /* 2^30 - 1: the sum of two still fits */

struct dtype_info {
    const char *name;
    size_t bytes;
    int64_t infinity; /* "unreachable"; every exact distance is smaller */
};

extern const struct dtype_info dtype_info[DTYPE_COUNT];

/* The type of that name, or -1. */
int dtype_find(const char *name);

#endif
