/*
 * A file of pairs for apsp-query may hold anything: each line is answered by one line, which is
 * right, until one ends it with an error. The last byte says whether paths are wanted. Of names one
 * has a blank, one a quote; the last vertex cannot be reached.
 */
#include "cli/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { N = 4, LINE = 80 };

static const char *const names[N] = {"a", "\"b c\"", "\"\"\"\"", "7"}; /* as printed */
static const char graph[] = "a,b c,2\nb c,\"\"\"\",3\n\"\"\"\",a,1\n7,a,1\n";
static const char *const right[N][N] = {{"0", "2", "5", "unreachable"},
                                        {"4", "0", "3", "unreachable"},
                                        {"1", "3", "0", "unreachable"},
                                        {"1", "3", "6", "0"}};
static struct query query = {.of = SIZE_MAX, .from = SIZE_MAX};

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static int make_file(char path[40], const void *data, size_t bytes)
{
    int file = memfd_create("file", 0);
    expect(file >= 0 && write(file, data, bytes) == (ssize_t)bytes);
    snprintf(path, 40, "/proc/self/fd/%d", file);
    return file;
}

/* Once: the graph, and its distances. */
static void begin(void)
{
    const struct subject_options options = {.graph = {.format = "list"},
                                            .distances = {.format = "raw"}};
    struct apsp_error error = {0};
    char edges[40], distances[40];
    int32_t matrix[N][N];
    if (query.subject.comm)
        return;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            matrix[i][j] = right[i][j][0] == 'u' ? 0x3fffffff : atoi(right[i][j]);
    make_file(edges, graph, sizeof graph - 1);
    make_file(distances, matrix, sizeof matrix);
    expect(comm_solo(&query.subject.comm, &error) == APSP_OK &&
           subject_open(&query.subject, strdup(edges), strdup(distances), &options, &error) ==
               APSP_OK &&
           query.subject.graph.n == N && query_prepare(&query, &error) == APSP_OK);
}

/* Whether the line tells a distance; a path begins and ends where it does. */
static bool is_right(const char *line, bool paths)
{
    char expected[LINE], end[LINE];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            size_t length =
                (size_t)snprintf(expected, LINE, "%s %s %s", names[i], names[j], right[i][j]);
            if (strncmp(line, expected, length) != 0)
                continue;
            if (!paths || right[i][j][0] == 'u')
                return !line[length];
            size_t from = (size_t)snprintf(expected, LINE, " : %s", names[i]),
                   to = (size_t)snprintf(end, LINE, " %s", names[j]), all = strlen(line);
            return strncmp(line + length, expected, from) == 0 && all >= length + from &&
                   strcmp(line + all - to, end) == 0;
        }
    return false;
}

/* Lines that were answered; what is printed is looked at. */
static size_t answer(const char *path, int *code)
{
    struct apsp_error error = {0};
    char *text, *rest;
    size_t bytes, lines = 0;
    FILE *before = stdout;
    stdout = open_memstream(&text, &bytes);
    expect(stdout != NULL);
    *code = ask_file(&query, path, &error);
    expect(fclose(stdout) == 0);
    stdout = before;
    expect(*code == error.code && (!*code || *code == APSP_INPUT));
    expect(!*code || (error.text[0] && !strchr(error.text, '\n')));
    expect(bytes == 0 || text[bytes - 1] == '\n');
    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest), lines++)
        expect(is_right(line, query.paths));
    free(text);
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char path[40];
    int code, again;
    size_t asked = 1;
    begin();
    query.paths = bytes > 0 && data[bytes - 1] & 1;
    int file = make_file(path, data, bytes);
    for (size_t b = 0; b < bytes; b++)
        asked += data[b] == '\n';
    size_t answered = answer(path, &code);
    expect(answered <= asked && answer(path, &again) == answered && again == code);
    close(file);
    return 0;
}
