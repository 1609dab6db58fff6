/* The course's program with the factors that are to choose from, 256 threads or so each, and the
 * product. */
#include "../course.cuh"
#include "../strip.h"
#include "amd.h"

#include <numeric>

namespace
{
template <int B, int TX, int TY>
enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    enum lab_outcome outcome = blocked_plain<course<B, TX, TY>>(problem, run);
    run->column[3] = run->occupancy;
    run->column[0] = 2.0 * B * B * sizeof(int) / 1024;
    run->column[1] = std::gcd(B, 32);
    run->column[2] = std::gcd(B + 1, 32);
    return outcome;
}

enum lab_outcome run_product(struct lab_problem *problem, struct lab_run *run)
{
    static const struct lab_way way = {&backend_gpu, DTYPE_I32, false};
    return lab_strip(problem, &way, run);
}
} // namespace

struct lab_step amd_32 = {"factor 32", NULL, true, run<32, 32, 8>};
struct lab_step amd_48 = {"factor 48", NULL, true, run<48, 48, 8>};
struct lab_step amd_64 = {"factor 64", NULL, true, run<64, 32, 8>};
struct lab_step amd_80 = {"factor 80", NULL, true, run<80, 40, 8>};
struct lab_step amd_90 = {"factor 90", NULL, true, run<90, 45, 6>};
struct lab_step amd_product = {"the product, pivots of 128", NULL, true, run_product};
