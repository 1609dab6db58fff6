/* All kernels of one instruction set. */
#ifndef ISA_H
#define ISA_H

#include "kernels/cpu/bits.h"
#include "kernels/cpu/decay.h"
#include "kernels/cpu/paths.h"
#include "kernels/cpu/relax.h"
#include "kernels/cpu/small.h"

enum { ISA_WIDTHS = 4 };

struct isa {
    const char *name;        /* a value of APSP_ISA */
    bool (*supported)(void); /* by this processor; NULL: the compiler cannot make the kernels */
    const struct relax_kernels *relax[DTYPE_COUNT][COMBINES];
    const struct bits_kernels *bits[ISA_WIDTHS]; /* of 512, 1024, 2048 and 4096 bits */
    const struct paths_kernels *paths;
    const struct decay_kernels *decay;
    const struct small_kernels *small;
};

extern const struct isa isa_avx512, isa_avx2, isa_plain;

#endif
