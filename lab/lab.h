/*
 * The harness of the experiments. An experiment is a table of steps that compute the same from the
 * same input, each in a file of its own. The harness checks the result of every step, then takes
 * the time, at the largest size whose time fits the step's share. To try an idea of your own, copy
 * a step's file, change it, and add its row to the table.
 */
#ifndef LAB_H
#define LAB_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LAB_INPUTS = 2, LAB_COLUMNS = 8, LAB_NOTE = 40 };

/* One input of size n, and a result's room. */
struct lab_problem {
    size_t n;
    void *in[LAB_INPUTS]; /* host memory; steps leave it as it is */
    void *out;            /* what a step computed, and */
    void *right;          /* what it should have */
    size_t bytes;         /* of each of these */
};

/* The problems of experiments. */
struct lab_kind {
    bool (*make)(struct lab_problem *problem); /* input, and the right result; false: no memory */
    size_t (*wrong)(const struct lab_problem *problem); /* values of the result that are */
    double (*work)(size_t n);                           /* operations: relaxations, or flop */
};

/* The figures of a step's run; 0: unknown. */
struct lab_run {
    size_t n;                   /* if it is not the problem's */
    double seconds;             /* of the computation alone */
    double whole;               /* the same with the copies between host and device */
    double occupancy;           /* of the main kernel */
    int bytes;                  /* of a value; 0: 4 */
    double column[LAB_COLUMNS]; /* as the experiment names them */
    char note[LAB_NOTE];        /* beside the report's figure */
};

enum lab_outcome { LAB_DONE, LAB_ABSENT /* this machine or build has not what it takes */ };

/* Steps of files with kernels are not const: the compiler for AMD's GPUs would put them on the
 * device too.
 */
struct lab_step {
    const char *name;
    const char *report; /* what the report that it is from measured, and on what; NULL: nothing */
    bool gpu;
    enum lab_outcome (*run)(struct lab_problem *problem, struct lab_run *run);
};

struct lab_experiment {
    const char *name, *title;
    const char *unit; /* of rates: so many operations a second */
    double per_unit;
    const struct lab_kind *kind;
    const char *column[LAB_COLUMNS];     /* names, with units; NULL: no more */
    const struct lab_step *const *steps; /* the last one is NULL */
    void (*preface)(void); /* prints what goes before the table, in lines with #; NULL: nothing */
    /* Columns that follow from the rest of a run; NULL: none. */
    void (*derive)(const struct lab_experiment *experiment, const struct lab_step *step,
                   struct lab_run *run);
};

/* The main function of an experiment: `NAME --help` says what it takes. */
int lab_main(const struct lab_experiment *experiment, int argc, char **argv);

/* To derive the first column: the rate of a GPU's step with its copies. */
void lab_rate_with_copies(const struct lab_experiment *experiment, const struct lab_step *step,
                          struct lab_run *run);

/* Ends the program for want of memory, or of what `what` says. */
void lab_stop(const char *what);
void *lab_alloc(size_t count, size_t bytes); /* never NULL; free() */

/* How many values of so many bytes the result has otherwise than it should. */
size_t lab_differ(const struct lab_problem *problem, size_t each);

/* The GPU that steps use; false: none, or not in this build. */
bool lab_gpu(char *name, size_t room);
int lab_gpus(void);   /* how many there are */
double lab_now(void); /* seconds */

#ifdef __cplusplus
}
#endif
#endif
