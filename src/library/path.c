/* Single distances, and paths. */
#include "base/typed.h"
#include "library/library.h"

#include <math.h>
#include <stdlib.h>

/* Vertices, and room for what is found; agreed. */
static bool can_find(const struct apsp_solution *solution, size_t from, size_t to, const void *room,
                     struct apsp_error *error)
{
    size_t n = solution->facts.vertices;
    if (!room)
        error_set(error, APSP_USAGE, "NULL: expected room for the result");
    if (from >= n || to >= n)
        error_set(error, APSP_USAGE, "vertex %zu is not in 0 .. %zu", from >= n ? from : to, n - 1);
    return comm_agree(solution->solver->comm, error) == APSP_OK;
}

/* Makes solution->row that of vertex `from`. */
static int fetch_row(struct apsp_solution *solution, size_t from, struct apsp_error *error)
{
    size_t n = solution->facts.vertices;
    const uint32_t list = (uint32_t)from;
    const struct library_rows row = {.list = &list, .count = 1, .raw = true};
    if (solution->row_of == from)
        return APSP_OK;
    if (!solution->row &&
        !(solution->row = calloc(n, dtype_info[solution->solver->task.output].bytes)))
        error_set(error, APSP_MEMORY, "no memory for a row of %zu distances", n);
    solution->row_of = SIZE_MAX;
    if (comm_agree(solution->solver->comm, error) ||
        library_copy(solution, &row, solution->row, n, error))
        return error->code;
    solution->row_of = from;
    return APSP_OK;
}

static struct apsp_distance given(const struct apsp_solution *solution, int64_t whole)
{
    const struct sink_task *task = &solution->solver->sink_task;
    const bool real = dtype_info[task->file].real;
    return (struct apsp_distance){1, real ? 0 : whole, scale_value(task->scale, whole)};
}

static struct apsp_distance distance_of(const struct apsp_solution *solution, size_t to)
{
    enum dtype type = solution->solver->task.output;
    struct apsp_distance distance = {.real = INFINITY};
    const union value value = typed_get(type, solution->row, to);
    if (dtype_info[type].real) {
        distance.real = value.real;
        distance.reachable = isfinite(distance.real);
        return distance;
    }
    if (value.whole < dtype_info[type].unreachable)
        distance = given(solution, value.whole);
    return distance;
}

struct place_question {
    size_t from, to;
    void *out;
};

static int distance_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct place_question *question = opaque;
    struct apsp_distance *distance = question->out;
    if (can_find(solution, question->from, question->to, distance, error) &&
        fetch_row(solution, question->from, error) == APSP_OK && !solution->aside)
        *distance = distance_of(solution, question->to);
    return error->code;
}

int apsp_find_distance(struct apsp_solution *solution, size_t from, size_t to,
                       struct apsp_distance *distance, struct apsp_error *error)
{
    struct place_question question = {from, to, distance};
    if (distance)
        *distance = (struct apsp_distance){0};
    return library_ask(solution, distance_rank, &question, error);
}

static int open_trees(struct apsp_solution *solution, struct apsp_error *error)
{
    size_t n = solution->facts.vertices;
    if (!solution->space)
        solution->space = predecessor_space_new(n, solution->solver->task.output);
    if (!solution->tree)
        solution->tree = malloc(n * sizeof *solution->tree);
    if (!solution->space || !solution->tree)
        error_set(error, APSP_MEMORY, "no memory for paths in a graph of %zu vertices", n);
    if (comm_agree(solution->solver->comm, error))
        return error->code;
    return library_edges(solution, error);
}

/* Makes solution->tree that of vertex `from`. */
static int make_tree(struct apsp_solution *solution, size_t from, struct apsp_error *error)
{
    const struct solver *solver = solution->solver;
    char why[CERTIFY_WHY];
    if (solution->tree_of == from)
        return APSP_OK;
    if (open_trees(solution, error) || fetch_row(solution, from, error))
        return error->code;
    const struct certificate certificate = library_certificate(solution);
    solution->tree_of = SIZE_MAX;
    if (!predecessor_row(&certificate, solution->space, from, solution->row, solution->tree, why))
        error_set(error, APSP_REFUTED, "no path, since the distances are wrong: %s", why);
    if (comm_agree(solver->comm, error) == APSP_OK)
        solution->tree_of = from;
    return error->code;
}

/* Backwards along the tree; a vertex without one before it, that is not the first, is reached by
 * none. */
static int walk(const struct apsp_solution *solution, size_t from, size_t to,
                struct apsp_path *path, struct apsp_error *error)
{
    size_t length = 1, at = to;
    for (; at != from && solution->tree[at] >= 0; at = (size_t)solution->tree[at])
        length++;
    if (at != from)
        return APSP_OK;
    path->vertex = malloc(length * sizeof *path->vertex);
    if (!path->vertex)
        return error_set(error, APSP_MEMORY, "no memory for a path of %zu vertices", length);
    path->length = length;
    for (at = to; length > 0; at = (size_t)solution->tree[at])
        path->vertex[--length] = (uint32_t)at;
    return APSP_OK;
}

static int path_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct place_question *question = opaque;
    struct apsp_path path = {0};
    if (!can_find(solution, question->from, question->to, question->out, error) ||
        make_tree(solution, question->from, error))
        return error->code;
    walk(solution, question->from, question->to, &path, error);
    if (comm_agree(solution->solver->comm, error) || solution->aside)
        apsp_path_free(&path);
    else
        *(struct apsp_path *)question->out = path;
    return error->code;
}

int apsp_find_path(struct apsp_solution *solution, size_t from, size_t to, struct apsp_path *path,
                   struct apsp_error *error)
{
    struct place_question question = {from, to, path};
    if (path)
        *path = (struct apsp_path){0};
    return library_ask(solution, path_rank, &question, error);
}

void apsp_path_free(struct apsp_path *path)
{
    if (!path)
        return;
    free(path->vertex);
    *path = (struct apsp_path){0};
}
