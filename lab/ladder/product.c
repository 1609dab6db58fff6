/* Step 5: the product on these cores: register tiles, packed panels, 2-byte values where distances
 * fit. */
#include "ladder.h"
#include "strip.h"

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    static const struct lab_way way = {&backend_cpu, DTYPE_U16, false};
    run->bytes = 2;
    return lab_strip(problem, &way, run);
}

struct lab_step ladder_product = {"the product on the CPU, 16-bit", NULL, false, run};
