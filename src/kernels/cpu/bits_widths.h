/* The instances of bits_body.h of one instruction set: RELAX_TARGET, RELAX_ISA, BITS_OF(width,
 * name), BITS_BYTES and BITS_NONE(v) are defined. */
#include "kernels/cpu/bits.h"

#include <string.h>

enum {
    BITS_BLOCK = 16,   /* vertices whose rows are asked for together */
    BITS_SCANNED = 16, /* in-neighbours that are looked at together */
    BITS_FETCHED = 8   /* rows of these that are asked for: most vertices need no more */
};

#define BITS(name) BITS_OF(512, name)
#define BITS_WIDTH 512
#include "kernels/cpu/bits_body.h"

#define BITS(name) BITS_OF(1024, name)
#define BITS_WIDTH 1024
#include "kernels/cpu/bits_body.h"

#define BITS(name) BITS_OF(2048, name)
#define BITS_WIDTH 2048
#include "kernels/cpu/bits_body.h"

#define BITS(name) BITS_OF(4096, name)
#define BITS_WIDTH 4096
#include "kernels/cpu/bits_body.h"
