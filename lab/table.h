/* The table of an experiment: text or JSON to the standard output, and CSV to a file. */
#ifndef LAB_TABLE_H
#define LAB_TABLE_H

#include "choice.h"

struct table {
    const struct lab_experiment *experiment;
    void *json; /* its rows so far; NULL: it is text */
    void *csv;  /* the file, or NULL */
};

/* Its head, with the names of the processor and the GPU. */
void table_open(struct table *table, const struct choice *choice, const char *gpu);
void table_row(const struct table *table, const struct lab_step *step, const struct lab_run *run);
/* A line in place of what has no row; JSON has none. */
void table_absent(const struct table *table, const char *what, const char *why);
void table_close(struct table *table);

#endif
