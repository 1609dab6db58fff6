/* Files of text, which one rank writes: all at once, as it is printed, or by lines. */
#include "rows/output.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/size.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = SIZE_OF(1 << 16, 200) }; /* bytes that a thread makes at a time */

/* After the last byte, or the errno of a write. */
static int finish_staged(const struct staged *staged, int cause, struct apsp_error *error)
{
    if (!cause && fsync(staged->fd))
        cause = errno;
    return cause ? error_set(error, error_status(cause), "%s: cannot be written: %s", staged->path,
                             strerror(cause))
                 : APSP_OK;
}

int output_all(struct staged *staged, const void *data, size_t bytes, struct apsp_error *error)
{
    return finish_staged(staged, write_bytes_at(staged, data, bytes, 0), error);
}

struct text {
    struct staged *staged;
    int cause;    /* errno of the first write that failed */
    size_t bytes; /* written */
};

static ssize_t write_text(void *self, const char *from, size_t bytes)
{
    struct text *text = self;
    if (!text->cause)
        text->cause = write_bytes_at(text->staged, from, bytes, text->bytes);
    text->bytes += bytes;
    return text->cause ? 0 : (ssize_t)bytes;
}

int output_text(struct staged *staged, void (*print)(FILE *out, const void *self), const void *self,
                struct apsp_error *error)
{
    struct text text = {.staged = staged};
    FILE *out = fopencookie(&text, "w", (cookie_io_functions_t){.write = write_text});
    if (!out)
        return error_set(error, APSP_MEMORY, "%s: no memory for its text", staged->path);
    print(out, self);
    fclose(out); /* its errors are write_text's */
    return finish_staged(staged, text.cause, error);
}

int output_lines(struct staged *staged, const struct output_lines *lines, struct apsp_error *error)
{
    const size_t each = lines->most < PIECE ? PIECE / lines->most : 1,
                 parts = (lines->count + each - 1) / each;
    size_t bytes = strlen(lines->head);
    int cause = write_bytes_at(staged, lines->head, bytes, 0);
#pragma omp parallel num_threads(parts > 1 ? int_max(lines->threads, 1) : 1)
    {
        char *text = mem_alloc(mem_bytes(each, lines->most));
#pragma omp for ordered schedule(static, 1)
        for (size_t part = 0; part < parts; part++) {
            const size_t from = part * each, left = lines->count - from;
            char *end = text;
            for (size_t k = 0; text && k < (left < each ? left : each); k++)
                end = lines->put(end, lines->self, from + k);
#pragma omp ordered
            {
                if (!cause)
                    cause =
                        text ? write_bytes_at(staged, text, (size_t)(end - text), bytes) : ENOMEM;
                bytes += (size_t)(end - text);
            }
        }
        mem_free(text);
    }
    return finish_staged(staged, cause, error);
}
