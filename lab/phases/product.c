/*
 * The product, by its command beside this program's folder, and by its own report. On a GPU phases
 * 1 and 2 of a round run beside phase 3 of the one before (look-ahead): they add up to more than
 * the solve.
 */
#include "command.h"
#include "phases.h"

static const struct {
    const char *name;
    int column;
} keys[] = {{"read", PHASES_READ},  {"build", PHASES_TO_DEVICE},
            {"close", PHASES_1},    {"panels", PHASES_2},
            {"bulk", PHASES_3},     {"communication_exposed", PHASES_EXPOSED},
            {"write", PHASES_WRITE}};

static enum lab_outcome run_on(const char *options, struct lab_problem *problem,
                               struct lab_run *run)
{
    cJSON *report = lab_command(problem, options);
    const cJSON *seconds = cJSON_GetObjectItem(report, "seconds");
    if (!seconds)
        lab_stop("the command `apsp` beside this folder did not run");
    run->seconds = cJSON_GetNumberValue(cJSON_GetObjectItem(seconds, "solve"));
    run->whole = cJSON_GetNumberValue(cJSON_GetObjectItem(seconds, "total"));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (cJSON_GetObjectItem(seconds, keys[k].name))
            run->column[keys[k].column] =
                cJSON_GetNumberValue(cJSON_GetObjectItem(seconds, keys[k].name));
    if (run->column[PHASES_3] == 0)
        run->column[PHASES_3] = run->seconds; /* the CPU's engine does not tell phases apart */
    cJSON_Delete(report);
    lab_result(problem);
    return LAB_DONE;
}

static enum lab_outcome run_cpu(struct lab_problem *problem, struct lab_run *run)
{
    return run_on("--device cpu", problem, run);
}

struct lab_step phases_product = {"the product, CPU", NULL, false, run_cpu};

#ifdef APSP_GPU
static enum lab_outcome run_gpu(struct lab_problem *problem, struct lab_run *run)
{
    return run_on("--device gpu", problem, run);
}

static enum lab_outcome run_gpus(struct lab_problem *problem, struct lab_run *run)
{
    return lab_gpus() >= 2 ? run_on("--device gpu --gpus 2", problem, run) : LAB_ABSENT;
}

struct lab_step phases_product_gpu = {"the product, GPU", NULL, true, run_gpu};
struct lab_step phases_product_gpus = {"the product, two GPUs", NULL, true, run_gpus};
#endif
