/* Strong and weak scaling of the product: two ranks beside one. A CPU rank has one thread here, a
 * GPU rank its GPU. */
#include "scaling.h"

#include <string.h>

#define STEP(id, name, gpu, run, one, two, weak)                                                   \
    static enum lab_outcome run_##id(struct lab_problem *problem, struct lab_run *run_)            \
    {                                                                                              \
        static const struct scaling_way way = {one, two, weak};                                    \
        return run(&way, problem, run_);                                                           \
    }                                                                                              \
    static const struct lab_step id = {name, NULL, gpu, run_##id}

#define CPU "--device cpu --dtype i32 --threads 1 "
STEP(cpu_strong, "CPU ranks, strong", false, scaling_run, CPU, CPU "--ranks 2", false);
STEP(cpu_weak, "CPU ranks, weak", false, scaling_run, CPU, CPU "--ranks 2", true);

#ifdef APSP_GPU
static enum lab_outcome run_gpus(const struct scaling_way *way, struct lab_problem *problem,
                                 struct lab_run *run)
{
    if (lab_gpus() < 2) {
        strcpy(run->note, "there is one GPU");
        return LAB_ABSENT;
    }
    links_name(run->note, sizeof run->note);
    return scaling_run(way, problem, run);
}

#define GPU  "--device gpu --dtype i32 "
#define PEER GPU "--gpus 2 --transport peer"
#define HOST GPU "--gpus 2 --transport host"
STEP(peer_strong, "GPUs, strong, peer copies", true, run_gpus, GPU "--gpus 1", PEER, false);
STEP(host_strong, "GPUs, strong, host copies", true, run_gpus, GPU "--gpus 1", HOST, false);
STEP(peer_weak, "GPUs, weak, peer copies", true, run_gpus, GPU "--gpus 1", PEER, true);
STEP(host_weak, "GPUs, weak, host copies", true, run_gpus, GPU "--gpus 1", HOST, true);
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

int main(int argc, char **argv)
{
    static const struct lab_experiment scaling = {
        .name = "scaling",
        .title = "Strong and weak scaling",
        .unit = "T relaxations/s",
        .per_unit = 1e12,
        .kind = &lab_paths,
        .column = {"one rank s", "speed-up", "efficiency", "by the model", "exposed s"},
        .steps = steps,
#ifdef APSP_GPU
        .preface = links_print,
#endif
    };
    return lab_main(&scaling, argc, argv);
}
