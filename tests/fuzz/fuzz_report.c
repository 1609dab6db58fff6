/* A report may hold anything: it is none, or that of other files, with one line; never that of this
 * graph and these distances, unless it says so by both hashes. */
#include "cli/against.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void make_file(char path[40], const void *data, size_t bytes)
{
    int file = memfd_create("file", 0);
    expect(file >= 0 && write(file, data, bytes) == (ssize_t)bytes);
    snprintf(path, 40, "/proc/self/fd/%d", file);
}

static void remove_file(const char *path)
{
    close((int)strtol(strrchr(path, '/') + 1, NULL, 10));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char report[40], graph[40], distances[40];
    struct apsp_error error = {0};
    make_file(report, data, bytes);
    make_file(graph, "graph", 5);
    make_file(distances, "distances", 9);
    struct against against = {
        .report = report, .graph = graph, .distances = distances, .threads = 1};
    int code = against_check(&against, &error);
    expect(code == error.code &&
           (code == APSP_OK || code == APSP_INPUT || code == AGAINST_DIFFERS || code == APSP_IO));
    expect(!code || (error.text[0] && !strchr(error.text, '\n')));
    expect(code || (memmem(data, bytes, "hash", 4) && memmem(data, bytes, "done", 4)));
    free(against.command);
    remove_file(distances);
    remove_file(graph);
    remove_file(report);
    return 0;
}
