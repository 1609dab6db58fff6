/*
 * The product, by its command beside this program's folder, and by its own report. On a GPU phases 1 and 2 of a
 * round run beside phase 3 of the one before (look-ahead): they add up to more than the solve.
 */
#include "phases.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name;
    int column;
} keys[] = {{"read", PHASES_READ}, {"build", PHASES_TO_DEVICE}, {"close", PHASES_1}, {"panels", PHASES_2},
            {"bulk", PHASES_3},    {"write", PHASES_WRITE}};

/* The report, parsed; NULL: the command failed. */
static cJSON *command(const struct phases_files *files, const char *device)
{
    char here[4000], line[5000], text[20000];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0)
        return NULL;
    here[length] = 0;
    for (int up = 0; up < 2; up++)
        *strrchr(here, '/') = 0;
    if (snprintf(line, sizeof line, "'%s/apsp' --quiet --force --method dense --output-type i32 --device %s --json - '%s' '%s'",
                 here, device, files->graph, files->result) >= (int)sizeof line)
        return NULL;
    FILE *pipe = popen(line, "r");
    size_t got = pipe ? fread(text, 1, sizeof text - 1, pipe) : 0;
    int status = pipe ? pclose(pipe) : -1;
    text[got] = 0;
    return status == 0 ? cJSON_Parse(text) : NULL;
}

static enum lab_outcome run_on(const char *device, struct lab_problem *problem, struct lab_run *run)
{
    cJSON *report = command(phases_files(problem), device);
    const cJSON *seconds = cJSON_GetObjectItem(report, "seconds");
    if (!seconds)
        lab_stop("the command `apsp` beside this folder did not run");
    run->seconds = cJSON_GetNumberValue(cJSON_GetObjectItem(seconds, "solve"));
    run->whole = cJSON_GetNumberValue(cJSON_GetObjectItem(seconds, "total"));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (cJSON_GetObjectItem(seconds, keys[k].name))
            run->column[keys[k].column] = cJSON_GetNumberValue(cJSON_GetObjectItem(seconds, keys[k].name));
    if (run->column[PHASES_3] == 0)
        run->column[PHASES_3] = run->seconds; /* the CPU's engine does not tell phases apart */
    cJSON_Delete(report);
    phases_result(problem);
    return LAB_DONE;
}

static enum lab_outcome run_cpu(struct lab_problem *problem, struct lab_run *run)
{
    return run_on("cpu", problem, run);
}

const struct lab_step phases_product = {"the product, CPU", NULL, false, run_cpu};

#ifdef APSP_GPU
static enum lab_outcome run_gpu(struct lab_problem *problem, struct lab_run *run)
{
    return run_on("gpu", problem, run);
}

const struct lab_step phases_product_gpu = {"the product, GPU", NULL, true, run_gpu};
#endif
