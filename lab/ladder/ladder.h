/* The steps of the ladder, one file each. Each adds one idea to the step before. */
#ifndef LADDER_H
#define LADDER_H

#include "paths.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LADDER_SHARE, LADDER_OCCUPANCY, LADDER_READING }; /* columns */

extern struct lab_step ladder_sequential, ladder_openmp, ladder_simd, ladder_tiles, ladder_product,
    ladder_apsp_cpu;
extern struct lab_step ladder_global, ladder_padded, ladder_coalesced, ladder_shared, ladder_banks,
    ladder_unrolled, ladder_factor64, ladder_factor78, ladder_occupancy, ladder_coarse64,
    ladder_coarse78, ladder_pinned, ladder_input, ladder_registers, ladder_kmajor, ladder_async,
    ladder_ahead, ladder_apsp_i32, ladder_u16, ladder_apsp_u16;

#ifdef __cplusplus
}
#endif
#endif
