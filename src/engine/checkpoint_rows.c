/*
 * The content is small beside the rows, and rank 0's to read and write: a head, what the engine
 * keeps, a byte for each row, 1 if it is done, and the words of the sinks. It has one hash (XXH3,
 * https://xxhash.com).
 */
#include "engine/checkpoint_rows.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/range.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { NAME = 24, FILE_NAME = 256, PIECE = 1 << 20 };
_Static_assert((int)FILE_NAME > NAME_MAX, "and a NUL");

struct rows_head {
    uint64_t kept, rows, sinks; /* bytes of what is kept */
    struct {
        char name[NAME], file[FILE_NAME]; /* of the sink; its output's temporary one, or "" */
        uint64_t words[SINK_PARTS];
    } sink[SINKS_MAX];
};
_Static_assert(sizeof(struct rows_head) == 24 + SINKS_MAX * (NAME + FILE_NAME + 8 * SINK_PARTS),
               "a head without gaps");

/* A state on its way, with the words of all sinks. */
struct state {
    struct checkpoint_rows *rows;
    struct rows_head head;
    int parts;
    struct sink_part part[SINKS_MAX * SINK_PARTS];
    const void *kept;
    struct output *output;
    size_t offset;
    XXH3_state_t hash;
};

static size_t rows_of(const struct sinks *sinks)
{
    return sinks->count > 0 ? sink_rows(sinks->at[0].task) : 0;
}

/* A byte for each, in words that ranks can add up. */
static size_t mark_words(size_t rows)
{
    return (rows + sizeof(size_t) - 1) / sizeof(size_t);
}

static size_t part_bytes(const struct sink_part *part)
{
    return mem_bytes(part->words, sizeof *part->word);
}

/* Collective; ends in agreement. As the sinks are now. */
static int fill_state(struct state *state, struct checkpoint_rows *rows, size_t kept_bytes,
                      struct apsp_error *error)
{
    const struct sinks *sinks = rows->sinks;
    *state =
        (struct state){.rows = rows,
                       .head = {.kept = kept_bytes, .rows = rows_of(sinks), .sinks = sinks->count},
                       .offset = CHECKPOINT_HEAD};
    for (int s = 0; s < sinks->count; s++) {
        struct sink *sink = &rows->sinks->at[s];
        struct sink_part *part = &state->part[state->parts];
        const int count = sink->ops->save(sink, part, error);
        for (int p = 0; p < count; p++)
            state->head.sink[s].words[p] = part[p].words;
        state->parts += count;
        strncpy(state->head.sink[s].name, sink->ops->name, NAME - 1);
        if (sink->output)
            strncpy(state->head.sink[s].file, staged_name(output_file(sink->output)),
                    FILE_NAME - 1);
    }
    XXH3_64bits_reset(&state->hash);
    return comm_agree(rows->comm, error);
}

static size_t state_bytes(const struct state *state)
{
    size_t bytes = sizeof state->head + state->head.rows;
    mem_add(&bytes, bytes, state->head.kept);
    for (int p = 0; p < state->parts; p++)
        mem_add(&bytes, bytes, part_bytes(&state->part[p]));
    return bytes;
}

static void put(struct state *state, const void *data, size_t bytes, struct apsp_error *error)
{
    XXH3_64bits_update(&state->hash, data, bytes);
    if (!error->code && bytes > 0)
        output_write(state->output, state->offset, data, bytes, error);
    state->offset += bytes;
}

static int write_state(void *self, struct output *output, uint64_t *hash, struct apsp_error *error)
{
    struct state *state = self;
    if (state->rows->comm->rank != 0)
        return APSP_OK;
    state->output = output;
    put(state, &state->head, sizeof state->head, error);
    put(state, state->kept, state->head.kept, error);
    put(state, state->rows->sinks->done, state->head.rows, error);
    for (int p = 0; p < state->parts; p++)
        put(state, state->part[p].word, part_bytes(&state->part[p]), error);
    *hash = XXH3_64bits_digest(&state->hash);
    return error->code;
}

/* Of all ranks, on all of them; what is added up stays on rank 0. */
static void bring_together(struct state *state)
{
    struct comm *comm = state->rows->comm;
    struct sinks *sinks = state->rows->sinks;
    const size_t words = mark_words(state->head.rows);
    comm_sum_all(comm, (size_t *)sinks->taken, words);
    for (size_t i = 0; i < words; i++)
        ((size_t *)sinks->done)[i] |= ((const size_t *)sinks->taken)[i];
    memset(sinks->taken, 0, words * sizeof(size_t));
    for (int p = 0; p < state->parts; p++) {
        const struct sink_part *part = &state->part[p];
        (part->most ? comm_most_all : comm_sum_all)(comm, part->word, part->words);
        if (comm->rank != 0 && part->words > 0)
            memset(part->word, 0, part_bytes(part));
    }
}

/* Rows that a checkpoint names as done are on the disk, and stay there. */
static int hold_files(const struct sinks *sinks, struct comm *comm, struct apsp_error *error)
{
    for (int s = 0; s < sinks->count && !error->code; s++)
        if (sinks->at[s].output)
            output_sync(sinks->at[s].output, error);
    return comm_agree(comm, error);
}

static void keep_files(const struct sinks *sinks, bool kept)
{
    for (int s = 0; s < sinks->count; s++)
        if (sinks->at[s].output)
            staged_retain(output_file(sinks->at[s].output), kept);
}

static size_t count_done(const struct sinks *sinks)
{
    size_t done = 0, rows = rows_of(sinks);
    for (size_t i = 0; i < rows; i++)
        done += sinks->done[i];
    return done;
}

int checkpoint_rows_save(struct checkpoint_rows *rows, const void *kept, size_t kept_bytes,
                         struct apsp_error *error)
{
    struct sinks *sinks = rows->sinks;
    struct state state;
    const double begun = clock_seconds();
    if (hold_files(sinks, rows->comm, error) ||
        fill_state(&state, rows, comm_most(rows->comm, kept_bytes), error))
        return error->code;
    bring_together(&state);
    state.kept = kept;
    const struct checkpoint_content content = {.kind = CHECKPOINT_ROWS,
                                               .done = count_done(sinks),
                                               .all = state.head.rows,
                                               .bytes = state_bytes(&state),
                                               .begun = begun,
                                               .self = &state,
                                               .write = write_state};
    keep_files(sinks, true);
    checkpoint_write(rows->checkpoint, &content, error);
    keep_files(sinks, checkpoint_is_there(rows->checkpoint));
    return error->code;
}

/* Nothing of it is believed before that is known. */
static int check_content(const struct file *file, size_t bytes, uint64_t hash,
                         struct apsp_error *error)
{
    char *piece = malloc(PIECE);
    XXH3_state_t state;
    if (!piece)
        return error_set(error, APSP_MEMORY, "%s: no memory to read it", file->path);
    XXH3_64bits_reset(&state);
    for (size_t done = 0, length; done < bytes && !error->code; done += length) {
        length = bytes - done < PIECE ? bytes - done : PIECE;
        if (file_read(file, CHECKPOINT_HEAD + done, piece, length, error) == APSP_OK)
            XXH3_64bits_update(&state, piece, length);
    }
    free(piece);
    if (!error->code && XXH3_64bits_digest(&state) != hash)
        error_set(error, APSP_IO, "%s: is damaged", file->path);
    return error->code;
}

static int read_head(struct rows_head *head, const struct file *file, size_t bytes,
                     struct apsp_error *error)
{
    if (bytes < sizeof *head)
        return error_set(error, APSP_IO, "%s: is inconsistent", file->path);
    if (file_read(file, CHECKPOINT_HEAD, head, sizeof *head, error))
        return error->code;
    if (head->sinks > SINKS_MAX || head->kept > bytes - sizeof *head)
        return error_set(error, APSP_IO, "%s: is inconsistent", file->path);
    for (size_t s = 0; s < SINKS_MAX; s++)
        head->sink[s].name[NAME - 1] = head->sink[s].file[FILE_NAME - 1] = '\0';
    return APSP_OK;
}

static int read_kept(void *self, const struct file *file, size_t bytes, uint64_t hash,
                     struct apsp_error *error)
{
    struct checkpoint_rows *rows = self;
    if (rows->comm->rank != 0 || check_content(file, bytes, hash, error))
        return error->code;
    free(rows->kept);
    if (!rows->head)
        rows->head = malloc(sizeof *rows->head);
    if (!rows->head)
        return error_set(error, APSP_MEMORY, "%s: no memory to read it", file->path);
    if (read_head(rows->head, file, bytes, error))
        return error->code;
    rows->kept_bytes = rows->head->kept;
    rows->kept = malloc(rows->kept_bytes + 1);
    if (!rows->kept)
        return error_set(error, APSP_MEMORY, "%s: no memory for %zu bytes of it", file->path,
                         rows->kept_bytes);
    return file_read(file, CHECKPOINT_HEAD + sizeof *rows->head, rows->kept, rows->kept_bytes,
                     error);
}

int checkpoint_rows_find(struct checkpoint_rows *rows, struct checkpoint *checkpoint,
                         struct apsp_error *error)
{
    const struct checkpoint_reader reader = {rows, read_kept};
    rows->checkpoint = checkpoint;
    if (checkpoint_kind(checkpoint) != CHECKPOINT_ROWS)
        return APSP_OK;
    return checkpoint_read(checkpoint, &reader, error);
}

void checkpoint_rows_name(const struct checkpoint_rows *rows, struct sinks *sinks)
{
    for (int s = 0; rows->head && s < sinks->count; s++)
        for (size_t k = 0; k < rows->head->sinks; k++)
            if (strcmp(rows->head->sink[k].name, sinks->at[s].ops->name) == 0 &&
                *rows->head->sink[k].file)
                sinks->at[s].begun = rows->head->sink[k].file;
}

/* Rank 0 has all of it. */
static int read_state(void *self, const struct file *file, size_t bytes, uint64_t hash,
                      struct apsp_error *error)
{
    struct state *state = self;
    struct sinks *sinks = state->rows->sinks;
    struct rows_head head;
    size_t offset = CHECKPOINT_HEAD + sizeof head;
    if (state->rows->comm->rank != 0 || check_content(file, bytes, hash, error) ||
        read_head(&head, file, bytes, error))
        return error->code;
    state->head.kept = head.kept;
    if (memcmp(&head, &state->head, sizeof head) != 0 || state_bytes(state) != bytes)
        return error_set(error, APSP_IO, "%s: belongs to other files than those beside the results",
                         file->path);
    offset += head.kept;
    file_read(file, offset, sinks->done, head.rows, error);
    offset += head.rows;
    for (int p = 0; p < state->parts && !error->code; p++) {
        file_read(file, offset, state->part[p].word, part_bytes(&state->part[p]), error);
        offset += part_bytes(&state->part[p]);
    }
    for (size_t i = 0; i < head.rows; i++)
        sinks->done[i] = sinks->done[i] != 0;
    return error->code;
}

/* This rank's share, by all its threads. */
static void verify_share(const struct checkpoint_rows *rows, const struct output *output,
                         struct apsp_error *error)
{
    const struct comm *comm = rows->comm;
    const size_t threads = (size_t)rows->threads;
    const struct range share = range_part((struct range){0, rows_of(rows->sinks)},
                                          (size_t)comm->rank, (size_t)comm->ranks);
#pragma omp parallel for num_threads(rows->threads)
    for (size_t t = 0; t < threads; t++) {
        struct apsp_error own = {0};
        if (output_verify(output, rows->sinks->done, range_part(share, t, threads), &own))
#pragma omp critical(checkpoint_error)
            error_set(error, (enum apsp_status)own.code, "%s", own.text);
    }
}

static int verify_files(const struct checkpoint_rows *rows, struct apsp_error *error)
{
    struct comm *comm = rows->comm;
    const struct sinks *sinks = rows->sinks;
    const size_t count = rows_of(sinks);
    comm_broadcast(comm, sinks->done, count, 0);
    for (int s = 0; s < sinks->count; s++) {
        const struct output *output = sinks->at[s].output;
        if (!output)
            continue;
        size_t *hashes = output_hashes(output);
        comm_broadcast(comm, hashes, count * sizeof *hashes, 0);
        if (!error->code)
            verify_share(rows, output, error);
        if (comm->rank != 0)
            memset(hashes, 0, count * sizeof *hashes);
    }
    return comm_agree(comm, error);
}

static int take_memory(struct sinks *sinks, struct comm *comm, struct apsp_error *error)
{
    const size_t words = mark_words(rows_of(sinks)) + 1;
    sinks->done = mem_alloc(mem_bytes(words, sizeof(size_t)));
    sinks->taken = mem_alloc(mem_bytes(words, sizeof(size_t)));
    if (!sinks->done || !sinks->taken)
        error_set(error, APSP_MEMORY, "no memory to know which of %zu rows are done",
                  rows_of(sinks));
    return comm_agree(comm, error);
}

int checkpoint_rows_load(struct checkpoint_rows *rows, struct sinks *sinks,
                         struct apsp_error *error)
{
    struct state state;
    const struct checkpoint_reader reader = {&state, read_state};
    rows->sinks = sinks;
    if (take_memory(sinks, rows->comm, error) ||
        checkpoint_kind(rows->checkpoint) != CHECKPOINT_ROWS || fill_state(&state, rows, 0, error))
        return error->code;
    do
        if (checkpoint_read(rows->checkpoint, &reader, error) == APSP_OK)
            verify_files(rows, error);
    while (error->code == APSP_IO && checkpoint_fall_back(rows->checkpoint, error));
    return error->code;
}

void checkpoint_rows_end(const struct checkpoint_rows *rows)
{
    if (rows->sinks)
        keep_files(rows->sinks, false);
}

void checkpoint_rows_free(struct checkpoint_rows *rows)
{
    if (rows->sinks) {
        mem_free(rows->sinks->done);
        mem_free(rows->sinks->taken);
        rows->sinks->done = rows->sinks->taken = NULL;
    }
    free(rows->kept);
    free(rows->head);
    rows->kept = rows->head = NULL;
}
