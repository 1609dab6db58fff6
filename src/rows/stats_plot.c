/* The histogram drawn by gnuplot, which reads its script, data and all, from a file in memory. */
#include "rows/stats.h"

#include "base/error.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { BARS = 512 }; /* drawn at most: the bins are brought together for that */

int stats_can_plot(struct apsp_error *error)
{
    const char *path = getenv("PATH");
    char name[4096];
    for (size_t length; path && *path; path += length + (path[length] != '\0')) {
        length = strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/gnuplot", (int)length, path);
        if (access(name, X_OK) == 0)
            return APSP_OK;
    }
    return error_set(error, APSP_USAGE,
                     "--plot: there is no gnuplot to draw with (package gnuplot-nox)");
}

static void print_script(FILE *out, const struct apsp_stats *stats)
{
    double low = stats->bins ? stats->bin[0].from.real : 0, width = stats->width.real;
    double high = stats->bins ? stats->bin[stats->bins - 1].from.real + width : width;
    double bar = ceil((high - low) / width / BARS) * width; /* as many bins each */
    size_t pairs[BARS + 1] = {0};
    for (size_t k = 0; k < stats->bins; k++)
        pairs[(size_t)((stats->bin[k].from.real - low) / bar)] += stats->bin[k].pairs;
    fprintf(out,
            "set terminal svg size 900,500 dynamic background 'white'\nset xlabel 'distance'\n"
            "set ylabel 'pairs'\nset style fill solid noborder\nset boxwidth %.17g\nunset key\n"
            "set yrange [0:%s]\nset xrange [%.17g:%.17g]\nplot '-' using 1:2 with boxes\n",
            bar, stats->bins ? "*" : "1", low, high);
    for (size_t k = 0; k <= BARS; k++)
        if (pairs[k] > 0 || k == 0)
            fprintf(out, "%.17g %zu\n", low + ((double)k + 0.5) * bar, pairs[k]);
    fputs("e\n", out);
}

static int run(int script, int file, struct apsp_error *error)
{
    char *const words[] = {"gnuplot", "--default-settings", NULL}; /* not the user's */
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO);
    int failed = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!failed && waitpid(child, &status, 0) < 0)
        failed = errno == EINTR ? 0 : errno;
    if (failed)
        return error_set(error, APSP_IO, "--plot: gnuplot cannot be run: %s", strerror(failed));
    if (status != 0)
        return error_set(error, APSP_IO, "--plot: gnuplot has failed");
    return APSP_OK;
}

int stats_plot(const struct apsp_stats *stats, int file, struct apsp_error *error)
{
    int script = memfd_create("histogram", MFD_CLOEXEC), copy = script >= 0 ? dup(script) : -1;
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out)
        print_script(out, stats);
    if (!out || fclose(out) != 0 || lseek(script, 0, SEEK_SET) != 0)
        error_set(error, APSP_IO, "--plot: no script can be written: %s", strerror(errno));
    else
        run(script, file, error);
    if (script >= 0)
        close(script);
    return error->code;
}
