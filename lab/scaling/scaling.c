/*
 * Strong and weak scaling of the product, two ranks beside one: the same graph, or one of n x 1.26 vertices,
 * which is twice the work. A CPU rank has one thread here, a GPU rank its GPU. The model is that of
 * docs/scaling.md without what is exposed: n^3 / (P R) (1 + (P - 1) w / n).
 */
#include "command.h"
#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONE, SPEEDUP, EFFICIENCY, MODEL, EXPOSED, RANKS }; /* columns */

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return item ? cJSON_GetNumberValue(item) : 0;
}

/* Solves it so; false: that cannot be done here. */
static bool solve(struct lab_problem *problem, const char *options, struct lab_run *run, double *tile)
{
    cJSON *report = lab_command(problem, options);
    const cJSON *seconds = cJSON_GetObjectItem(report, "seconds");
    if (!seconds)
        return false;
    run->seconds = number(seconds, "solve");
    run->whole = number(seconds, "total");
    run->column[EXPOSED] = number(seconds, "communication_exposed");
    *tile = number(report, "tile");
    cJSON_Delete(report);
    lab_result(problem);
    return true;
}

static enum lab_outcome strong(const char *one, const char *two, struct lab_problem *problem,
                               struct lab_run *run)
{
    struct lab_run alone = {0};
    double tile;
    if (!solve(problem, one, &alone, &tile) || !solve(problem, two, run, &tile))
        return LAB_ABSENT;
    run->column[RANKS] = 2;
    run->column[ONE] = alone.seconds;
    run->column[SPEEDUP] = alone.seconds / run->seconds;
    run->column[EFFICIENCY] = run->column[SPEEDUP] / 2;
    run->column[MODEL] = 1 / (1 + tile / (double)problem->n);
    return LAB_DONE;
}

/* The larger graph is checked here, since the problem's own is the smaller one. */
static enum lab_outcome weak(const char *one, const char *two, struct lab_problem *problem,
                             struct lab_run *run)
{
    struct lab_run alone = {0};
    double tile;
    struct lab_problem larger = {.n = (size_t)(1.26 * (double)problem->n)};
    if (!solve(problem, one, &alone, &tile))
        return LAB_ABSENT;
    if (!lab_paths.make(&larger))
        lab_stop("not enough memory");
    bool good = solve(&larger, two, run, &tile);
    if (good && lab_paths.wrong(&larger) > 0)
        memset(problem->out, 0xff, problem->bytes); /* which is refused */
    run->n = larger.n;
    run->column[RANKS] = 2;
    run->column[ONE] = alone.seconds;
    run->column[SPEEDUP] =
        alone.seconds * lab_paths.work(larger.n) / lab_paths.work(problem->n) / run->seconds;
    run->column[EFFICIENCY] = run->column[SPEEDUP] / 2;
    run->column[MODEL] = 1 / (1 + tile / (double)larger.n);
    free(larger.in[0]);
    free(larger.out);
    free(larger.right);
    return good ? LAB_DONE : LAB_ABSENT;
}

#define STEP(id, name, gpu, how, one, two)                                                                   \
    static enum lab_outcome run_##id(struct lab_problem *problem, struct lab_run *run)                       \
    {                                                                                                        \
        return how(one, two, problem, run);                                                                  \
    }                                                                                                        \
    static const struct lab_step id = {name, NULL, gpu, run_##id}

#define CPU "--device cpu --dtype i32 --threads 1 "
#define GPU "--device gpu --dtype i32 "
STEP(cpu_strong, "CPU ranks, strong", false, strong, CPU, CPU "--ranks 2");
STEP(cpu_weak, "CPU ranks, weak", false, weak, CPU, CPU "--ranks 2");
#ifdef APSP_GPU
STEP(peer_strong, "GPUs, strong, peer copies", true, strong, GPU "--gpus 1", GPU "--gpus 2 --transport peer");
STEP(host_strong, "GPUs, strong, host copies", true, strong, GPU "--gpus 1", GPU "--gpus 2 --transport host");
STEP(peer_weak, "GPUs, weak, peer copies", true, weak, GPU "--gpus 1", GPU "--gpus 2 --transport peer");
STEP(host_weak, "GPUs, weak, host copies", true, weak, GPU "--gpus 1", GPU "--gpus 2 --transport host");
#endif

static const struct lab_step *const steps[] = {&cpu_strong,
                                               &cpu_weak,
#ifdef APSP_GPU
                                               &peer_strong,
                                               &host_strong,
                                               &peer_weak,
                                               &host_weak,
#endif
                                               0};

/* Which link is between which GPUs, where the driver's tool tells. */
static void topology(void)
{
    char line[400];
    FILE *pipe = popen("nvidia-smi topo -m 2>/dev/null || rocm-smi --showtopotype 2>/dev/null", "r");
    while (pipe && fgets(line, sizeof line, pipe))
        if (strncmp(line, "GPU", 3) == 0)
            printf("# topology: %s", line);
    if (pipe)
        pclose(pipe);
}

int main(int argc, char **argv)
{
    static const struct lab_experiment scaling = {
        "scaling",
        "Strong and weak scaling",
        "T relaxations/s",
        1e12,
        &lab_paths,
        {"one rank s", "speed-up", "efficiency", "by the model", "exposed s", "ranks"},
        steps,
        topology};
    return lab_main(&scaling, argc, argv);
}
