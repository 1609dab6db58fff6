/*
 * The files of checkpoints may hold anything: a run goes on from one that is whole, with its rows,
 * or refuses all with one line; one that begins anew makes a younger one. The file is made of a
 * page's head and what follows it, and the first byte says what is made right in it, so that what
 * lies behind is looked at.
 */
#include "engine/checkpoint_matrix.h"
#include "files/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
void __wrap_standard_note(const char *path, const char *what);

enum {
    N = 3,
    WIDTH = N * sizeof(int32_t),
    HEAD = CHECKPOINT_HEAD,
    FIELDS = 120,
    FILE_BYTES = HEAD + N * (WIDTH + 8)
};
enum { OWN_HEAD = 1, HEAD_HASH = 2, ROW_HASHES = 4, BESIDE = 8, ANEW = 16, SECOND = 32 };

static const struct checkpoint_subject subject = {.n = N, .m = 5, .edges = 7, .dtype = DTYPE_I32};
static struct comm *comm;
static char folder[32], path[2][50];
static char right[2][FILE_BYTES]; /* whole files */
static int32_t matrix[N * N];

static void expect(bool holds)
{
    if (!holds)
        abort();
}

/* What would go to stderr is a line, too. */
void __wrap_standard_note(const char *name, const char *what)
{
    expect(*name && *what && !strchr(what, '\n'));
}

static struct checkpoint_strip strip_of(void)
{
    return (struct checkpoint_strip){
        .rows = {0, N}, .width = WIDTH, .at = (char *)matrix, .pitch = WIDTH, .threads = 1};
}

static void fill(int seed)
{
    for (int i = 0; i < N * N; i++)
        matrix[i] = seed + i;
}

/* A run that begins anew, and writes so many; false: not in place of what is no checkpoint. */
static bool begin_anew(int count)
{
    const struct checkpoint_policy policy = {.folder = folder, .force = true, .dtype = "auto"};
    const struct checkpoint_strip strip = strip_of();
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    if (checkpoint_open(&checkpoint, comm, &policy, N, &error) != APSP_OK) {
        checkpoint_free(checkpoint, false);
        expect(error.code == APSP_USAGE && !strchr(error.text, '\n'));
        return false;
    }
    expect(checkpoint_match(checkpoint, &subject, &error) == APSP_OK);
    for (int k = 1; k <= count; k++) {
        fill(100 * k);
        expect(checkpoint_matrix_save(checkpoint, &strip, (size_t)k, &error) == APSP_OK);
    }
    expect(checkpoint_figures(checkpoint).taken == (size_t)count);
    checkpoint_free(checkpoint, false);
    return true;
}

/* A run that goes on: APSP_OK, and the matrix is there. It takes no rows. */
static int go_on(void)
{
    const struct checkpoint_policy policy = {.folder = folder, .resume = true, .dtype = "auto"};
    const struct checkpoint_strip strip = strip_of();
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    if (checkpoint_open(&checkpoint, comm, &policy, N, &error) == APSP_OK &&
        checkpoint_match(checkpoint, &subject, &error) == APSP_OK &&
        (checkpoint_kind(checkpoint) == CHECKPOINT_MATRIX ||
         error_set(&error, APSP_INPUT, "rows") == APSP_OK) &&
        checkpoint_matrix_load(checkpoint, &strip, &error) == APSP_OK)
        expect(strcmp(checkpoint_type(checkpoint), "i32") == 0 &&
               checkpoint_eliminated(checkpoint) <= N);
    checkpoint_free(checkpoint, false);
    expect(error.code == APSP_OK || error.code == APSP_INPUT || error.code == APSP_IO ||
           (error.code == APSP_USAGE && strstr(error.text, "other sources, targets or results")));
    expect(!error.code || (error.text[0] && !strchr(error.text, '\n')));
    return error.code;
}

static void write_file(int which, const void *content, size_t bytes)
{
    FILE *file = fopen(path[which], "wb");
    expect(file && fwrite(content, 1, bytes, file) == bytes);
    expect(fclose(file) == 0);
}

static void leave(void)
{
    for (int i = 0; i < 2; i++)
        unlink(path[i]);
    rmdir(folder);
}

/* Once: the folder, and two whole files in it. */
static void begin(void)
{
    struct apsp_error error = {0};
    if (comm)
        return;
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/apsp-XXXXXX" : "/tmp/apsp-XXXXXX");
    expect(mkdtemp(folder) && comm_solo(&comm, &error) == APSP_OK);
    space_wait_limit(0);
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "%s/checkpoint.%d", folder, i + 1);
    atexit(leave);
    expect(begin_anew(2));
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(path[i], "rb");
        expect(file && fread(right[i], 1, FILE_BYTES, file) == FILE_BYTES && getc(file) == EOF);
        fclose(file);
    }
}

/* Returns its bytes; `content` has room for a whole file. */
static size_t make_file(char *content, uint8_t choice, const uint8_t *data, size_t bytes)
{
    size_t head = bytes < FIELDS ? bytes : FIELDS,
           rest = bytes - head < FILE_BYTES - HEAD ? bytes - head : FILE_BYTES - HEAD;
    uint64_t hash;
    memcpy(content, right[0], FILE_BYTES);
    for (size_t i = 0; i < head; i++) /* nothing but zeros: the right one */
        content[i] = (char)(choice & OWN_HEAD ? data[i] : data[i] ^ (uint8_t)content[i]);
    memcpy(content + HEAD, data + head, rest);
    hash = XXH3_64bits(content, FIELDS);
    if (choice & HEAD_HASH)
        memcpy(content + FIELDS, &hash, sizeof hash);
    for (size_t i = 0; i < N && choice & ROW_HASHES; i++) {
        hash = XXH3_64bits_withSeed(content + HEAD + i * WIDTH, WIDTH, i);
        memcpy(content + HEAD + N * WIDTH + i * sizeof hash, &hash, sizeof hash);
    }
    return choice & ROW_HASHES ? FILE_BYTES : HEAD + rest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char content[FILE_BYTES];
    uint8_t choice = bytes > 0 ? data[0] : 0;
    const int which = choice & SECOND ? 1 : 0;
    begin();
    unlink(path[!which]);
    write_file(which, content, make_file(content, choice, data + (bytes > 0), bytes - (bytes > 0)));
    if (choice & BESIDE)
        write_file(!which, right[!which], FILE_BYTES);
    const bool anew = choice & ANEW && begin_anew(1);
    int code = go_on();
    expect(!anew || (code == APSP_OK && matrix[0] == 100));
    expect(code || memcmp(matrix, content + HEAD, sizeof matrix) == 0 ||
           (choice & BESIDE && memcmp(matrix, right[!which] + HEAD, sizeof matrix) == 0) ||
           (anew && matrix[N * N - 1] == 100 + N * N - 1));
    return 0;
}
