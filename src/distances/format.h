/*
 * A kind of file of distances; for the formats and distances.c alone. One row of the table
 * in formats.c is one format, and one file.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "base/setting.h"
#include "base/value.h"
#include "distances/distances.h"
#include "graph/numbers.h"
#include "graph/source.h"

/* Behind a size that is wrong: what of the run may have been forgotten, and its settings. */
#define FORMAT_OF_RUN   "; %s, %s and %s of the run change that"
#define FORMAT_SETTINGS SETTING(SOURCES), SETTING(TARGETS), SETTING(LARGEST_COMPONENT)

struct distances_format {
    const char *name;
    const char *about;  /* a line of help */
    const char *suffix; /* those of its paths, with blanks between them; NULL: none */
    bool listed;        /* A pair that is not listed counts as unreachable. */
    enum graph_guess (*guess)(const struct graph_look *look);

    /* For an open file: checks the numbers of rows and columns, and sets the kind of its values
     * (distances_settle). distances_close calls close in any case. */
    int (*open)(struct distances *distances, struct apsp_error *error);
    void (*close)(struct distances *distances);

    /* As distances_read; integers or reals as they are in the file, one union value each. */
    int (*read)(const struct distances *distances, struct range rows, struct range columns,
                union value *values, struct apsp_error *error);
    size_t (*need)(const struct distances *distances); /* NULL: 0 */
};

/* All formats, up to NULL; the last one is that of files which tell nothing. */
extern const struct distances_format *const distances_formats[];

/* The file says that its values are to be divided by this, a line of text from `where`. APSP_INPUT.
 */
int distances_take_scale(struct distances *distances, const char *text, const char *where,
                         struct apsp_error *error);

/* The values are of that kind, of so many bytes: sets dtype, and what stands for unreachable unless
 * an option says so. APSP_INPUT when they are no distances, or reals that are to be multiples. */
int distances_settle(struct distances *distances, enum numbers_kind kind, size_t bytes,
                     struct apsp_error *error);

#endif
