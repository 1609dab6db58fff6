/*
 * A file of distances of a graph of three vertices may hold any bytes: it is refused with a
 * message, or gives the same values in one piece and one by one. The last byte chooses the graph,
 * the format and the options.
 */
#include "distances/distances.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { N = 3 };

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static struct distances_options choose(uint8_t choice)
{
    static const char *const formats[] = {NULL, NULL, "npy", "npz", "mtx", "pairs", "table", "raw"};
    return (struct distances_options){.format = formats[choice & 7],
                                      .sources = choice & 16 ? "3,1" : NULL,
                                      .targets = choice & 32 ? "2" : NULL,
                                      .unreachable = choice & 64 ? "-1,nan,1e9" : NULL};
}

/* Returns the error's code. */
static int read_piece(const struct distances *distances, struct range rows, struct range columns,
                      void *values)
{
    struct apsp_error error = {0};
    distances_read(distances, rows, columns, values, &error);
    expect(!error.code || (error.text[0] && !strchr(error.text, '\n')));
    return error.code;
}

static void read_twice(const struct distances *distances)
{
    const size_t each = dtype_info[distances->dtype].bytes;
    const struct range rows = {0, distances->rows}, columns = {0, distances->columns};
    char whole[N * N * 8], one[8];
    bool right = read_piece(distances, rows, columns, whole) == APSP_OK;
    for (size_t i = 0; right && i < distances->rows; i++)
        for (size_t j = 0; j < distances->columns; j++) {
            expect(read_piece(distances, (struct range){i, i + 1}, (struct range){j, j + 1}, one) ==
                   APSP_OK);
            expect(memcmp(one, whole + (i * distances->columns + j) * each, each) == 0);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char real[] = "1 2 1.5\n2 3 2\n", whole[] = "1 2 1\n2 3 2\n";
    const uint8_t choice = bytes > 0 ? data[bytes - 1] : 0;
    const struct distances_options options = choose(choice);
    const struct graph_options as_list = {.format = "list"};
    struct graph graph;
    struct distances distances;
    struct apsp_error error = {0};
    char path[40];
    int file = memfd_create("distances", 0);
    expect(file >= 0 && write(file, data, bytes) == (ssize_t)bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    expect(graph_open_bytes(&graph, choice & 8 ? real : whole,
                            choice & 8 ? sizeof real - 1 : sizeof whole - 1, &as_list,
                            &error) == APSP_OK);
    if (distances_open(&distances, path, &graph, &options, &error) == APSP_OK)
        read_twice(&distances);
    else
        expect(error.text[0] && !strchr(error.text, '\n'));
    distances_close(&distances);
    graph_close(&graph);
    close(file);
    return 0;
}
