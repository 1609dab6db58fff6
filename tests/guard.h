/* Sizes beside the address sanitizer. */
#ifndef GUARD_H
#define GUARD_H

#include "base/mem.h"

/* Bytes of the guard behind each part of an allocation: 0 without the sanitizer. */
static inline size_t guard_bytes(void)
{
    struct mem_layout layout = {0};
    mem_place(&layout, 0, 1);
    return layout.bytes;
}

#endif
