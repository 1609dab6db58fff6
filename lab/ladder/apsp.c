/*
 * The product as its users have it, by apsp.h, in the same run: what the ladder's last rows are
 * held against. Their computing is the same; here it comes out of a graph's edges, and seconds are
 * the library's own.
 */
#include "ladder.h"

static enum lab_outcome solve(struct lab_problem *problem, struct lab_run *run,
                              enum apsp_device device, enum apsp_type type)
{
    struct apsp_options options;
    apsp_options_init(&options);
    options.device = device;
    options.type = type;
    options.output = APSP_I32;
    options.method = "dense";
    run->bytes = type == APSP_U16 ? 2 : 4;
    double start = lab_now();
    bool good = paths_solve(problem, &options, problem->out, &run->seconds);
    run->whole = lab_now() - start;
    return good ? LAB_DONE : LAB_ABSENT;
}

static enum lab_outcome run_cpu(struct lab_problem *problem, struct lab_run *run)
{
    return solve(problem, run, APSP_DEVICE_CPU, APSP_U16);
}

static enum lab_outcome run_i32(struct lab_problem *problem, struct lab_run *run)
{
    return solve(problem, run, APSP_DEVICE_GPU, APSP_I32);
}

static enum lab_outcome run_u16(struct lab_problem *problem, struct lab_run *run)
{
    return solve(problem, run, APSP_DEVICE_GPU, APSP_U16);
}

struct lab_step ladder_apsp_cpu = {"apsp itself on the CPU, 16-bit", NULL, false, run_cpu};
struct lab_step ladder_apsp_i32 = {"apsp itself", NULL, true, run_i32};
struct lab_step ladder_apsp_u16 = {"apsp itself, 16-bit", NULL, true, run_u16};
