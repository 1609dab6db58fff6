/* Arrays of numbers in files of NumPy, for those who read them. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "base/npy.h"
#include "base/size.h"
#include "base/value.h"

enum numbers_kind { NUMBERS_BOOL, NUMBERS_INT, NUMBERS_UNSIGNED, NUMBERS_REAL };

struct numbers {
    const char *name; /* in messages: "data" */
    struct file file; /* to be closed if it is unnamed */
    struct npy head;
    size_t count; /* of all dimensions */
    size_t each;  /* bytes of one */
    enum numbers_kind kind;
    bool swapped; /* of the other byte order */
};

/*
 * Reads the head at the beginning of `where` in numbers->file, and checks that `dimensions` of
 * numbers follow, of any type and byte order, and that all of them are there. APSP_INPUT, APSP_IO.
 */
int numbers_open(struct numbers *numbers, struct range where, size_t dimensions,
                 struct apsp_error *error);
/* Sets kind, each and swapped from head.type; false if that is no type of numbers. */
bool numbers_find_type(struct numbers *numbers);

static inline bool numbers_real(const struct numbers *numbers)
{
    return numbers->kind == NUMBERS_REAL;
}

/* The numbers of the range, counted from 0; floating point as double, and an integer that is too
 * large for 64 bits as INT64_MAX. APSP_IO. */
int numbers_read(const struct numbers *numbers, struct range range, union value *values,
                 struct apsp_error *error);

/* The numbers one after the other. */
enum { NUMBERS_BUFFER = SIZE_OF(4096, 7) };
struct numbers_stream {
    const struct numbers *numbers;
    size_t at, end; /* of those not yet in the buffer */
    size_t used, have;
    union value value[NUMBERS_BUFFER];
};

void numbers_begin(struct numbers_stream *stream, const struct numbers *numbers,
                   struct range range);
/* For numbers_next. APSP_IO. */
int numbers_fill(struct numbers_stream *stream, struct apsp_error *error);

/* The next one, of the range. */
static inline int numbers_next(struct numbers_stream *stream, union value *value,
                               struct apsp_error *error)
{
    if (stream->used == stream->have && numbers_fill(stream, error) != APSP_OK)
        return error->code;
    *value = stream->value[stream->used++];
    return APSP_OK;
}

/* Whether it may be a weight: finite, of 62 bits. */
bool numbers_is_weight(const struct numbers *numbers, union value value);
/* For messages. Returns text. */
enum { NUMBERS_SHOWN = 32 };
char *numbers_show(const struct numbers *numbers, union value value, char text[NUMBERS_SHOWN]);

#endif
