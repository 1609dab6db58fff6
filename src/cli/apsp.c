/* The command `apsp`: the way of the data: source -> engine -> rows -> sinks. */
#include "apsp.h"
#include "cli/launch.h"
#include "cli/options.h"

static int fail(const struct apsp_error *error, const char *detail)
{
    fprintf(stderr, "apsp: %s%s\n", error->text, detail);
    return error->code;
}

/* Every step is collective; the first that fails, fails on all ranks. */
static void run(struct apsp_job *job)
{
    if (apsp_job_read(job)) /* source -> engine: the edges */
        return;
    if (apsp_job_solve(job)) /* the engine's work */
        return;
    if (apsp_job_rows(job)) /* engine -> rows -> sinks: files, certificate, predecessors */
        return;
    apsp_job_commit(job); /* the files get their names, the report is printed */
}

int main(int argc, char **argv)
{
    struct apsp_options options;
    struct apsp_error error = {0};
    struct apsp_job *job = NULL;

    if (options_parse(&options, argc, argv, &error) == APSP_OK) {
        if (options.stop)
            return APSP_OK;
        launch_ranks(&options, argc, argv, &error);
    }
    if (error.code && !launch_started()) /* one of several processes tells its error by way of the job */
        return fail(&error, "");

    if (apsp_job_init(&job, &options, &error) == APSP_OK) {
        if (options.estimate)
            apsp_job_estimate(job, stdout);
        else
            run(job);
    }
    if (job) {
        error = *apsp_job_error(job);
        if (error.code && apsp_job_speaks(job))
            fail(&error, apsp_job_detail(job));
    } else {
        fail(&error, "");
    }
    apsp_job_free(job);
    apsp_finish();
    return error.code;
}
