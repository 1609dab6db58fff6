/*
 * Libraries that are loaded when they are needed, so that a program runs where they are missing.
 * The file to read is `path`; messages call it `what`: "a gzip file".
 */
#ifndef LATE_H
#define LATE_H

#include "base/error.h"

struct late {
    const char *library; /* its names, with blanks between them: the first that there is */
    const char *package, *headers; /* that of the library, and to build with it */
    const char *const *symbols;    /* of the library, up to NULL; what they are goes to */
    void *functions; /* so many pointers; NULL: the program was built without the headers */
};

/* APSP_IO, with the name of the package that is missing. */
int late_load(const struct late *late, const char *path, const char *what,
              struct apsp_error *error);

#endif
