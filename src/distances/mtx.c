/*
 * MatrixMarket's arrays, general or symmetric, of integers or reals, as scipy.io.mmwrite makes
 * them: numbers column by column. They are copied once into a file without a name, as 64 bits each,
 * where rows are found.
 */
#include "base/mem.h"
#include "base/text.h"
#include "distances/cells.h"
#include "distances/text.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = LINE_LONGEST, PIECE = 4096, BANNER = 5 };

static const char mark[] = "%%MatrixMarket";

struct reader {
    struct distances *distances;
    struct cells *cells;
    struct text text;
    struct text_line line;
    union value piece[PIECE];
    size_t have, row, column; /* numbers in piece[]; the next one's place */
};

/* The first line, of which the last two words matter. */
static int take_banner(struct reader *reader, struct apsp_error *error)
{
    const struct file *file = &reader->distances->file;
    char text[LINE_LONGEST + 1] = "", *rest, *word[BANNER] = {NULL};
    size_t bytes = file->bytes < LINE_LONGEST ? file->bytes : LINE_LONGEST;
    if (file_read(file, 0, text, bytes, error) != APSP_OK)
        return error->code;
    text[strcspn(text, "\r\n")] = '\0';
    char *at = text;
    for (int i = 0; i < BANNER; i++, at = NULL)
        if (!(word[i] = strtok_r(at, " \t", &rest)))
            word[i] = "";
    if (text_alike(word[2], "coordinate", SIZE_MAX))
        return text_refuse(
            file, 0, "MatrixMarket's coordinates are pairs, not whole rows of distances", error);
    reader->cells->lower = text_alike(word[4], "symmetric", SIZE_MAX);
    bool taken =
        strcmp(word[0], mark) == 0 && text_alike(word[1], "matrix", SIZE_MAX) &&
        text_alike(word[2], "array", SIZE_MAX) &&
        (text_alike(word[3], "integer", SIZE_MAX) || text_alike(word[3], "real", SIZE_MAX)) &&
        (reader->cells->lower || text_alike(word[4], "general", SIZE_MAX));
    return taken ? APSP_OK
                 : text_refuse(file, 0,
                               "the first line is not '%%MatrixMarket matrix array', integer or "
                               "real, general "
                               "or symmetric",
                               error);
}

static int take_size(struct reader *reader, struct apsp_error *error)
{
    struct distances *distances = reader->distances;
    struct field fields[FIELDS_MAX];
    int64_t size[2] = {0};
    if (text_next(&reader->text, &reader->line, error) != APSP_OK)
        return error->code;
    int count = reader->line.text ? fields_cut(0, reader->line.text, fields) : 0;
    for (int i = 0; i < 2 && i < count; i++)
        if (!line_scan_whole(fields[i].text, 0, INT64_MAX, &size[i]))
            count = 0;
    if (count != 2)
        return text_refuse(&distances->file, reader->line.offset,
                           "the size must be two numbers: rows, columns", error);
    if ((size_t)size[0] != distances->rows || (size_t)size[1] != distances->columns)
        return error_set(error, APSP_INPUT,
                         "%s: an array of %lld x %lld, where %zu x %zu are needed" FORMAT_OF_RUN,
                         distances->file.path, (long long)size[0], (long long)size[1],
                         distances->rows, distances->columns, FORMAT_SETTINGS);
    if (reader->cells->lower && size[0] != size[1])
        return text_refuse(&distances->file, reader->line.offset,
                           "a symmetric array must be square", error);
    return APSP_OK;
}

static int flush(struct reader *reader, struct apsp_error *error)
{
    size_t bytes = reader->have * sizeof *reader->piece;
    reader->have = 0;
    return file_append(&reader->cells->numbers.file, reader->piece, bytes, error);
}

static int take_number(struct reader *reader, const struct field *field, struct apsp_error *error)
{
    struct distances *distances = reader->distances;
    if (reader->column == distances->columns)
        return text_refuse(&distances->file, reader->line.offset, "more numbers than the size says",
                           error);
    if (text_take(&(struct text_place){distances, reader->line.offset, reader->row, reader->column},
                  field, &reader->piece[reader->have], error) != APSP_OK)
        return error->code;
    if (++reader->row == distances->rows) {
        reader->column++;
        reader->row = reader->cells->lower ? reader->column : 0;
    }
    return ++reader->have == PIECE ? flush(reader, error) : APSP_OK;
}

static int take_numbers(struct reader *reader, struct apsp_error *error)
{
    struct distances *distances = reader->distances;
    struct field fields[FIELDS_MAX];
    struct numbers *numbers = &reader->cells->numbers;
    while (text_next(&reader->text, &reader->line, error) == APSP_OK && reader->line.text) {
        int count = fields_cut(0, reader->line.text, fields);
        if (count < 1 || count > FIELDS_MAX)
            return text_refuse(&distances->file, reader->line.offset, "a number is missing", error);
        for (int i = 0; i < count; i++)
            if (take_number(reader, &fields[i], error) != APSP_OK)
                return error->code;
    }
    if (error->code || flush(reader, error) != APSP_OK)
        return error->code;
    if (reader->column < distances->columns)
        return text_refuse(&distances->file, distances->file.bytes,
                           "fewer numbers than the size says", error);
    numbers->count = numbers->file.bytes / sizeof(union value);
    return APSP_OK;
}

static int read_all(struct reader *reader, struct apsp_error *error)
{
    struct distances *distances = reader->distances;
    struct numbers *numbers = &reader->cells->numbers;
    text_open(&reader->text, &distances->file, (struct range){0, distances->file.bytes}, LONGEST,
              "%");
    if (take_banner(reader, error) != APSP_OK || take_size(reader, error) != APSP_OK ||
        text_settle(distances, error) != APSP_OK ||
        file_nameless(&numbers->file, distances->file.path, error) != APSP_OK)
        return error->code;
    strcpy(numbers->head.type, distances->real ? "=f8" : "=i8");
    numbers_find_type(numbers);
    numbers->head.columns = true;
    return take_numbers(reader, error);
}

static int mtx_open(struct distances *distances, struct apsp_error *error)
{
    struct cells *cells = cells_new(distances, error);
    struct reader *reader = cells ? calloc(1, sizeof *reader) : NULL;
    if (reader) {
        *reader = (struct reader){.distances = distances, .cells = cells};
        read_all(reader, error);
        text_close(&reader->text);
    } else {
        error_set(error, APSP_MEMORY, "%s: no memory to open the distances", distances->file.path);
    }
    free(reader);
    return error->code;
}

static enum graph_guess mtx_guess(const struct graph_look *look)
{
    size_t length = sizeof mark - 1;
    return look->have > length && memcmp(look->text, mark, length) == 0 ? GUESS_SURE : GUESS_NO;
}

const struct distances_format distances_mtx = {.name = "mtx",
                                               .about =
                                                   "array of MatrixMarket, general or symmetric",
                                               .suffix = ".mtx",
                                               .guess = mtx_guess,
                                               .open = mtx_open,
                                               .close = cells_close,
                                               .read = cells_read};
