#include "kernels/cpu/relax.h"

#include "kernels/cpu/bits.h"
#include "kernels/cpu/decay.h"
#include "kernels/cpu/paths.h"
#include "kernels/cpu/small.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}

static bool has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static bool has_plain(void)
{
    return true;
}

/* From the widest to the one that always works. */
static const struct {
    const char *name;
    bool (*supported)(void);
    const struct relax_kernels *(*kernels)(enum dtype dtype, enum combine combine);
    const struct bits_kernels *(*bits)(size_t width);
    const struct paths_kernels *(*paths)(void);
    const struct decay_kernels *(*decay)(void);
    const struct small_kernels *(*small)(void);
} choices[] = {
    {"avx512", has_avx512, relax_avx512, bits_avx512, paths_avx512, decay_avx512, small_avx512},
    {"avx2", has_avx2, relax_avx2, bits_avx2, paths_avx2, decay_avx2, small_avx2},
    {"plain", has_plain, relax_plain, bits_plain, paths_plain, decay_plain, small_plain},
};

enum { CHOICES = sizeof choices / sizeof choices[0] };

/* The widest that this processor runs and APSP_ISA allows: it is compiled in all types, or in none.
 */
static int choose_isa(const char **note)
{
    const char *request = getenv("APSP_ISA");
    int first = 0;
    *note = "";
    while (request && first < CHOICES && strcmp(request, choices[first].name) != 0)
        first++;
    if (first == CHOICES) {
        *note = "APSP_ISA has an unknown value";
        first = 0;
    }
    int taken = first;
    while (taken < CHOICES - 1 &&
           !(choices[taken].supported() && choices[taken].kernels(DTYPE_U16, COMBINE_SUM)))
        taken++;
    if (request && taken != first && !**note)
        *note = "this processor lacks what APSP_ISA asks for";
    return taken;
}

const struct relax_kernels *relax_combining(enum dtype dtype, enum combine combine,
                                            const char **note)
{
    const char *remark;
    const int taken = choose_isa(&remark);
    if (note)
        *note = remark;
    return choices[taken].kernels(dtype, combine);
}

const struct relax_kernels *relax_choose(enum dtype dtype, const char **note)
{
    return relax_combining(dtype, COMBINE_SUM, note);
}

const struct bits_kernels *bits_choose(size_t width)
{
    const char *ignored;
    return choices[choose_isa(&ignored)].bits(width);
}

const struct paths_kernels *paths_choose(void)
{
    const char *ignored;
    return choices[choose_isa(&ignored)].paths();
}

const struct decay_kernels *decay_choose(void)
{
    const char *ignored;
    return choices[choose_isa(&ignored)].decay();
}

const struct small_kernels *small_choose(void)
{
    const char *ignored;
    return choices[choose_isa(&ignored)].small();
}
