/* The rows, and then the hash of each (hash_row). */
#include "engine/checkpoint_matrix.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/size.h"

#include <stdlib.h>

size_t checkpoint_matrix_need(struct range rows)
{
    return mem_bytes(range_length(rows) + 1, sizeof(uint64_t));
}

enum {
    GROUP = SIZE_OF(1 << 20, 512)
}; /* bytes of rows that one call writes: the file is locked for each */

/* Some rows on their way, `pitch` bytes apart. */
struct piece {
    struct range rows;
    char *at;
    size_t pitch, width;
    uint64_t *hash; /* of them */
    int threads;
    struct output *output;   /* to write to; or */
    const struct file *file; /* to read from */
};

/* Rows i.lo to i.hi of the piece. */
static int write_group(const struct piece *piece, struct range i, struct apsp_error *error)
{
    const size_t number = piece->rows.lo + i.lo;
    const char *at = piece->at + i.lo * piece->pitch;
    const struct output_rows rows = {at, range_length(i), piece->width, piece->pitch};
    for (size_t k = 0; k < rows.rows; k++)
        piece->hash[i.lo + k] = hash_row(at + k * piece->pitch, piece->width, number + k);
    return output_write_rows(piece->output, CHECKPOINT_HEAD + number * piece->width, &rows, error);
}

static int read_group(const struct piece *piece, struct range i, struct apsp_error *error)
{
    for (size_t k = i.lo; k < i.hi && !error->code; k++) {
        const size_t number = piece->rows.lo + k;
        char *row = piece->at + k * piece->pitch;
        if (file_read(piece->file, CHECKPOINT_HEAD + number * piece->width, row, piece->width,
                      error) == APSP_OK &&
            piece->hash[k] != hash_row(row, piece->width, number))
            error_set(error, APSP_IO, "%s: row %zu is damaged", piece->file->path, number);
    }
    return error->code;
}

static void take_piece(const struct piece *piece, struct apsp_error *error)
{
    const size_t rows = range_length(piece->rows),
                 step = piece->width < GROUP ? GROUP / piece->width : 1;
    bool failed = false;
#pragma omp parallel for schedule(dynamic) num_threads(piece->threads)
    for (size_t lo = 0; lo < rows; lo += step) {
        const struct range group = {lo, rows - lo < step ? rows : lo + step};
        struct apsp_error own = {0};
        bool skip;
#pragma omp atomic read
        skip = failed;
        if (skip || (piece->output ? write_group : read_group)(piece, group, &own) == APSP_OK)
            continue;
#pragma omp atomic write
        failed = true;
#pragma omp critical(checkpoint_error)
        error_set(error, (enum apsp_status)own.code, "%s", own.text);
    }
}

/* All rows of the strip, to or from the piece's file; by way of the buffer where they are not in
 * host memory.
 */
static int take_strip(const struct checkpoint_strip *strip, struct piece piece,
                      struct apsp_error *error)
{
    size_t step = strip->at ? range_length(strip->rows) : strip->room;
    uint64_t *hash = piece.hash;
    for (struct range rows = {strip->rows.lo, 0}; rows.lo < strip->rows.hi && !error->code;
         rows.lo = rows.hi) {
        rows.hi = strip->rows.hi - rows.lo < step ? strip->rows.hi : rows.lo + step;
        piece.rows = rows;
        piece.hash = hash + (rows.lo - strip->rows.lo);
        piece.at = strip->at ? strip->at : strip->buffer;
        piece.pitch = strip->at ? strip->pitch : strip->width;
        if (!strip->at && piece.output)
            strip->copy(strip->self, rows, strip->buffer, false);
        take_piece(&piece, error);
        if (!strip->at && piece.file && !error->code)
            strip->copy(strip->self, rows, strip->buffer, true);
    }
    return error->code;
}

static struct piece piece_of(const struct checkpoint_strip *strip, struct apsp_error *error)
{
    struct piece piece = {.width = strip->width, .threads = strip->threads};
    piece.hash = malloc(checkpoint_matrix_need(strip->rows));
    if (!piece.hash)
        error_set(error, APSP_MEMORY, "no memory for the hashes of %zu rows",
                  range_length(strip->rows));
    return piece;
}

struct matrix {
    const struct checkpoint_strip *strip;
    size_t n;
    uint64_t hash; /* of a core */
};

static size_t content_bytes(const struct matrix *matrix)
{
    return mem_bytes(matrix->n, matrix->strip->width + sizeof(uint64_t));
}

/* Where the hashes of the strip's rows are in the file. */
static size_t hashes_at(const struct matrix *matrix)
{
    return CHECKPOINT_HEAD + matrix->n * matrix->strip->width +
           matrix->strip->rows.lo * sizeof(uint64_t);
}

static int read_strip(void *self, const struct file *file, size_t bytes, uint64_t hash,
                      struct apsp_error *error)
{
    const struct matrix *matrix = self;
    struct piece piece = piece_of(matrix->strip, error);
    piece.file = file;
    if (matrix->hash && (hash != matrix->hash || bytes != content_bytes(matrix)))
        error_set(error, APSP_IO, "%s: belongs to another dense core", file->path);
    if (!error->code &&
        file_read(file, hashes_at(matrix), piece.hash,
                  range_length(matrix->strip->rows) * sizeof *piece.hash, error) == APSP_OK)
        take_strip(matrix->strip, piece, error);
    free(piece.hash);
    return error->code;
}

static int write_strip(void *self, struct output *output, uint64_t *hash, struct apsp_error *error)
{
    const struct matrix *matrix = self;
    struct piece piece = piece_of(matrix->strip, error);
    *hash = matrix->hash;
    piece.output = output;
    if (!error->code && take_strip(matrix->strip, piece, error) == APSP_OK)
        output_write(output, hashes_at(matrix), piece.hash,
                     range_length(matrix->strip->rows) * sizeof *piece.hash, error);
    free(piece.hash);
    return error->code;
}

int checkpoint_matrix_load(struct checkpoint *checkpoint, const struct checkpoint_strip *strip,
                           struct apsp_error *error)
{
    struct matrix matrix = {strip, checkpoint_subject(checkpoint)->n, 0};
    const struct checkpoint_reader reader = {&matrix, read_strip};
    return checkpoint_read(checkpoint, &reader, error);
}

int checkpoint_matrix_save(struct checkpoint *checkpoint, const struct checkpoint_strip *strip,
                           size_t eliminated, struct apsp_error *error)
{
    struct matrix matrix = {strip, checkpoint_subject(checkpoint)->n, 0};
    const struct checkpoint_content content = {.kind = CHECKPOINT_MATRIX,
                                               .done = eliminated,
                                               .all = matrix.n,
                                               .begun = clock_seconds(),
                                               .self = &matrix,
                                               .write = write_strip};
    return checkpoint_write(checkpoint, &content, error);
}

bool checkpoint_core_load(struct checkpoint *checkpoint, const struct checkpoint_core *core,
                          const struct checkpoint_strip *strip)
{
    struct matrix matrix = {strip, core->n, core->hash | 1};
    const struct checkpoint_reader reader = {&matrix, read_strip};
    return checkpoint_read_core(checkpoint, &reader);
}

void checkpoint_core_save(struct checkpoint *checkpoint, const struct checkpoint_core *core,
                          const struct checkpoint_strip *strip)
{
    struct matrix matrix = {strip, core->n, core->hash | 1};
    const struct checkpoint_content content = {.kind = CHECKPOINT_CORE,
                                               .done = core->kappa,
                                               .bytes = content_bytes(&matrix),
                                               .begun = clock_seconds(),
                                               .self = &matrix,
                                               .write = write_strip};
    checkpoint_write_core(checkpoint, &content);
}
