#include "kernels/cpu/isa.h"

#include <stdlib.h>
#include <string.h>

/* From the widest to the one that always works. */
static const struct isa *const choices[] = {&isa_avx512, &isa_avx2, &isa_plain};

enum { CHOICES = sizeof choices / sizeof choices[0] };

/* The widest that this processor runs and APSP_ISA allows: it is compiled in all types, or in none.
 */
static int choose_isa(const char **note)
{
    const char *request = getenv("APSP_ISA");
    int first = 0;
    *note = "";
    while (request && first < CHOICES && strcmp(request, choices[first]->name) != 0)
        first++;
    if (first == CHOICES) {
        *note = "APSP_ISA has an unknown value";
        first = 0;
    }
    int taken = first;
    while (taken < CHOICES - 1 && !(choices[taken]->supported && choices[taken]->supported()))
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
    return choices[taken]->relax[dtype][combine];
}

const struct relax_kernels *relax_choose(enum dtype dtype, const char **note)
{
    return relax_combining(dtype, COMBINE_SUM, note);
}

const struct bits_kernels *bits_choose(size_t width)
{
    const char *ignored;
    const struct isa *isa = choices[choose_isa(&ignored)];
    int i = 0;
    while (i < ISA_WIDTHS - 1 && width > (size_t)512 << i)
        i++;
    return isa->bits[i];
}

const struct paths_kernels *paths_choose(void)
{
    const char *ignored;
    return choices[choose_isa(&ignored)]->paths;
}

const struct decay_kernels *decay_choose(void)
{
    const char *ignored;
    return choices[choose_isa(&ignored)]->decay;
}

const struct small_kernels *small_choose(void)
{
    const char *ignored;
    return choices[choose_isa(&ignored)]->small;
}
