#include "table.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(APSP_HIP)
static const char *const gpu_name = "HIP";
#else
static const char *const gpu_name = "CUDA";
#endif

static const char *place(const struct lab_step *step)
{
    return step->gpu ? gpu_name : "CPU";
}

static double rate(const struct lab_experiment *experiment, const struct lab_run *run)
{
    return experiment->kind->work(run->n) / run->seconds / experiment->per_unit;
}

static int width_of(const char *column)
{
    const int least = 9, width = (int)strlen(column);
    return width > least ? width : least;
}

static void print_processor(void)
{
    char line[300], name[200] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file) &&
           sscanf(line, "model name : %199[^\n]", name) != 1)
        ;
    if (file)
        fclose(file);
    printf("# CPU: %s, %d threads\n", name, omp_get_max_threads());
}

static void head_text(const struct lab_experiment *experiment, const char *gpu)
{
    printf("# %s\n", experiment->title);
    print_processor();
    printf("# GPU: %s\n", gpu);
    if (experiment->preface)
        experiment->preface();
    printf("%-44s %6s %12s %12s %16s", "step", "n", "seconds", "with copies", experiment->unit);
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        printf(" %*s", width_of(experiment->column[k]), experiment->column[k]);
    printf("  report\n");
}

static void row_text(const struct lab_experiment *experiment, const struct lab_step *step,
                     const struct lab_run *run)
{
    printf("%-44s %6zu %12.6f %12.6f %16.4g", step->name, run->n, run->seconds, run->whole,
           rate(experiment, run));
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        if (run->column[k] > 0)
            printf(" %*.4g", width_of(experiment->column[k]), run->column[k]);
        else
            printf(" %*s", width_of(experiment->column[k]), "-");
    printf("  %s%s\n", step->report ? step->report : "", run->note);
    fflush(stdout);
}

static void head_csv(const struct lab_experiment *experiment, FILE *csv)
{
    fprintf(csv, "step,on,n,seconds,with copies,%s", experiment->unit);
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        fprintf(csv, ",%s", experiment->column[k]);
    fprintf(csv, ",report,note\n");
}

static void row_csv(const struct lab_experiment *experiment, const struct lab_step *step,
                    const struct lab_run *run, FILE *csv)
{
    fprintf(csv, "\"%s\",%s,%zu,%.9g,%.9g,%.6g", step->name, place(step), run->n, run->seconds,
            run->whole, rate(experiment, run));
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        if (run->column[k] > 0)
            fprintf(csv, ",%.6g", run->column[k]);
        else
            fputc(',', csv);
    fprintf(csv, ",\"%s\",\"%s\"\n", step->report ? step->report : "", run->note);
}

static void row_json(const struct lab_experiment *experiment, const struct lab_step *step,
                     const struct lab_run *run, cJSON *rows)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "step", step->name);
    cJSON_AddStringToObject(object, "on", place(step));
    cJSON_AddNumberToObject(object, "n", (double)run->n);
    cJSON_AddNumberToObject(object, "seconds", run->seconds);
    cJSON_AddNumberToObject(object, "with copies", run->whole);
    cJSON_AddNumberToObject(object, experiment->unit, rate(experiment, run));
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        if (run->column[k] > 0)
            cJSON_AddNumberToObject(object, experiment->column[k], run->column[k]);
    if (step->report)
        cJSON_AddStringToObject(object, "report", step->report);
    if (*run->note)
        cJSON_AddStringToObject(object, "note", run->note);
    cJSON_AddItemToArray(rows, object);
}

void table_open(struct table *table, const struct choice *choice, const char *gpu)
{
    *table = (struct table){choice->experiment, choice->json ? cJSON_CreateArray() : NULL,
                            choice->csv ? fopen(choice->csv, "w") : NULL};
    if (choice->csv && !table->csv)
        lab_stop("cannot write the CSV file");
    if (!table->json)
        head_text(table->experiment, gpu);
    if (table->csv)
        head_csv(table->experiment, table->csv);
}

void table_row(const struct table *table, const struct lab_step *step, const struct lab_run *run)
{
    if (table->json)
        row_json(table->experiment, step, run, table->json);
    else
        row_text(table->experiment, step, run);
    if (table->csv)
        row_csv(table->experiment, step, run, table->csv);
}

void table_absent(const struct table *table, const char *what, const char *why)
{
    if (!table->json)
        printf("# left out: %s: %s\n", what, why);
}

void table_close(struct table *table)
{
    if (table->json) {
        char *text = cJSON_Print(table->json);
        printf("%s\n", text);
        free(text);
        cJSON_Delete(table->json);
    }
    if (table->csv && fclose(table->csv))
        lab_stop("cannot write the CSV file");
}
