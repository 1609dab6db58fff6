/* Graph files from a generator: the writers that answer to the readers in edges32.c, gr.c and
 * mtx.c. */
#include "base/size.h"
#include "base/text.h"
#include "files/staged.h"
#include "graph/generate.h"
#include "graph/source.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK = SIZE_OF(1 << 14, 9),
    ITEM_MAX = 40
}; /* edges at a time, and the most bytes that one takes in a file */

struct writer {
    const struct generate_plan *plan;
    struct generator *generator;
    struct staged staged;
    size_t written, used;
    struct edge edges[CHUNK];
    char text[CHUNK * ITEM_MAX];
};

static int flush(struct writer *writer, struct apsp_error *error)
{
    for (size_t done = 0; done < writer->used;) {
        ssize_t put = write(writer->staged.fd, writer->text + done, writer->used - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return error_set(error, APSP_IO, "%s: byte %zu: cannot write: %s", writer->staged.path,
                             writer->written, strerror(errno));
        done += (size_t)put;
        writer->written += (size_t)put;
    }
    writer->used = 0;
    return APSP_OK;
}

static void put_i32(struct writer *writer, size_t value)
{
    uint32_t word = htole32((uint32_t)value);
    memcpy(writer->text + writer->used, &word, sizeof word);
    writer->used += sizeof word;
}

static void put_decimal(struct writer *writer, size_t value, char after)
{
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count > 0)
        writer->text[writer->used++] = digits[--count];
    writer->text[writer->used++] = after;
}

/* A whole multiple of 10^-decimals. */
static void put_weight(struct writer *writer, int64_t weight)
{
    size_t size = (size_t)(weight < 0 ? -weight : weight), unit = 1;
    for (int i = 0; i < writer->plan->decimals; i++)
        unit *= 10;
    if (weight < 0)
        writer->text[writer->used++] = '-';
    put_decimal(writer, size / unit, unit > 1 ? '.' : '\n');
    for (; unit > 1; unit /= 10)
        writer->text[writer->used++] = (char)('0' + size % unit / (unit / 10));
    if (writer->plan->decimals > 0)
        writer->text[writer->used++] = '\n';
}

static void put_text(struct writer *writer, const char *text)
{
    size_t length = strlen(text);
    memcpy(writer->text + writer->used, text, length);
    writer->used += length;
}

static void edges32_header(struct writer *writer)
{
    put_i32(writer, writer->plan->n);
    put_i32(writer, generate_total(writer->generator));
}

static void edges32_edge(struct writer *writer, const struct edge *edge)
{
    put_i32(writer, edge->from);
    put_i32(writer, edge->to);
    put_i32(writer, (size_t)edge->weight.whole);
}

static void put_origin(struct writer *writer, const char *comment)
{
    put_text(writer, comment);
    put_text(writer, " apsp-gen ");
    put_text(writer, writer->plan->family);
    put_text(writer, ", seed ");
    put_decimal(writer, writer->plan->seed, '\n');
}

static void gr_header(struct writer *writer)
{
    put_origin(writer, "c");
    put_text(writer, "p sp ");
    put_decimal(writer, writer->plan->n, ' ');
    put_decimal(writer, generate_total(writer->generator), '\n');
}

static void mtx_header(struct writer *writer)
{
    put_text(writer, "%%MatrixMarket matrix coordinate ");
    put_text(writer, writer->plan->decimals > 0 ? "real general\n" : "integer general\n");
    put_origin(writer, "%");
    put_decimal(writer, writer->plan->n, ' ');
    put_decimal(writer, writer->plan->n, ' ');
    put_decimal(writer, generate_total(writer->generator), '\n');
}

static void mtx_edge(struct writer *writer, const struct edge *edge)
{
    put_decimal(writer, (size_t)edge->from + 1, ' ');
    put_decimal(writer, (size_t)edge->to + 1, ' ');
    put_weight(writer, edge->weight.whole);
}

static void gr_edge(struct writer *writer, const struct edge *edge)
{
    put_text(writer, "a ");
    mtx_edge(writer, edge);
}

/* The first is for every suffix that is not among the others. */
static const struct kind {
    const char *format;
    void (*header)(struct writer *writer);
    void (*edge)(struct writer *writer, const struct edge *edge);
} kinds[] = {{"edges32", edges32_header, edges32_edge},
             {"gr", gr_header, gr_edge},
             {"mtx", mtx_header, mtx_edge}};

static const struct kind *kind_of(const char *path)
{
    const struct graph_source *source = graph_source_suffixed(path);
    size_t i = sizeof kinds / sizeof *kinds - 1;
    while (i > 0 && !(source && strcmp(kinds[i].format, source->name) == 0))
        i--;
    return &kinds[i];
}

static int write_edges(struct writer *writer, const struct kind *kind, struct apsp_error *error)
{
    size_t count;
    kind->header(writer);
    if (flush(writer, error) != APSP_OK)
        return error->code;
    while ((count = generate_next(writer->generator, writer->edges, CHUNK)) > 0) {
        for (size_t i = 0; i < count; i++)
            kind->edge(writer, &writer->edges[i]);
        if (flush(writer, error) != APSP_OK)
            return error->code;
    }
    if (fsync(writer->staged.fd) != 0 &&
        errno != EINVAL) /* EINVAL: no such thing on that file system */
        return error_set(error, APSP_IO, "%s: byte %zu: cannot write: %s", writer->staged.path,
                         writer->written, strerror(errno));
    return APSP_OK;
}

static int make_file(struct writer *writer, const char *path, bool force, struct apsp_error *error)
{
    const struct kind *kind = kind_of(path);
    const struct generate_plan *plan = writer->plan;
    const struct graph_source *source = graph_source_suffixed(path);
    if (source && strcmp(source->name, kind->format) != 0)
        return error_set(
            error, APSP_USAGE,
            "%s: the suffix means the format %s, which is not written; use one of .bin .gr .mtx",
            path, source->name);
    if (text_has_suffix(path, ".gz .zst .xz .bz2 .zip"))
        return error_set(error, APSP_USAGE,
                         "%s: compressed files are not written; use one of .bin .gr .mtx", path);
    if (strcmp(kind->format, "mtx") != 0 &&
        (plan->low < 0 || plan->decimals > 0 || plan->potential > 0))
        return error_set(
            error, APSP_USAGE,
            "%s: the format %s takes integer weights >= 0 only; others require the suffix .mtx",
            path, kind->format);
    if (generate_open(&writer->generator, plan, error) != APSP_OK)
        return error->code;
    if (strcmp(kind->format, "edges32") == 0 && generate_total(writer->generator) > INT32_MAX)
        return error_set(error, APSP_USAGE,
                         "%s: %zu edges; the format edges32 holds at most %d: take fewer, or the "
                         "suffix .gr or .mtx",
                         path, generate_total(writer->generator), INT32_MAX);
    if (staged_check(path, NULL, force, error) != APSP_OK ||
        staged_create(&writer->staged, path, force, error) != APSP_OK ||
        write_edges(writer, kind, error) != APSP_OK)
        return error->code;
    staged_complete(&writer->staged);
    return staged_publish(&writer->staged, STAGED_TARGET, error);
}

int generate_file(const struct generate_plan *plan, const char *path, bool force,
                  struct apsp_error *error)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return error_set(error, APSP_MEMORY, "%s: no memory for a buffer of %zu bytes", path,
                         sizeof *writer);
    writer->plan = plan;
    make_file(writer, path, force, error);
    staged_free(&writer->staged);
    generate_free(writer->generator);
    free(writer);
    return error->code;
}
