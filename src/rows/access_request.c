#include "rows/access_request.h"

#include "base/mem.h"
#include "base/setting.h"
#include "base/words.h"
#include "rows/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 2 };

static const struct kind {
    const char *name;
    int numbers; /* Behind its name, with colons. */
    const char *usage;
} kinds[] = {
    [APSP_DECAY_STEP] = {"step", 1, "step:DISTANCE"},
    [APSP_DECAY_LINEAR] = {"linear", 1, "linear:DISTANCE"},
    [APSP_DECAY_EXPONENTIAL] = {"exponential", 1, "exponential:SCALE"},
    [APSP_DECAY_LOGISTIC] = {"logistic", 2, "logistic:MIDDLE:SPREAD"},
    [APSP_DECAY_POINTS] = {"table", 0, "table:FILE"},
};

static int no_memory(const struct comm *comm, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "no memory for accessibility on %s", comm->host);
}

size_t access_count_words(const char *text)
{
    size_t count = text != NULL;
    for (; text && *text; text++)
        count += *text == ',';
    return count;
}

/* The next word, a copy to free(). */
static char *take_word(const char **text)
{
    const size_t length = strcspn(*text, ",");
    char *word = strndup(*text, length);
    *text += length + ((*text)[length] == ',');
    return word;
}

/* Numbers with colons between. */
static bool scan_numbers(const char *text, int count, double *number)
{
    for (int i = 0; i < count; i++) {
        char *end;
        number[i] = strtod(text, &end);
        if (end == text || *end != (i + 1 < count ? ':' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

int access_take_cutoff(const char **at, char **word, double *distance, struct apsp_error *error)
{
    *word = take_word(at);
    if (!*word || !scan_numbers(*word, 1, distance) || !isfinite(*distance))
        error_set(error, APSP_USAGE,
                  "%s: expected a distance in the unit of the weights, found '%s'",
                  SETTING(CUTOFFS), *word ? *word : "");
    return error->code;
}

/* Points of a file: a distance and a weight in each line, below a line of names if there is one. */
static int read_points(struct apsp_decay *decay, const char *path, struct apsp_error *error)
{
    struct records records;
    size_t room = 0;
    double *point = NULL;
    if (records_open(&records, path, "the table of a decay", error) == APSP_OK)
        while (records_next(&records, error)) {
            double distance, weight;
            const bool numbers =
                records_number(&records, 0, &distance) && records_number(&records, 1, &weight);
            if (!numbers && decay->points == 0 && records.line == 1)
                continue;
            if (!numbers || records.count != NUMBERS) {
                records_refuse(&records, numbers ? NUMBERS : 0, "a distance and a weight alone",
                               error);
                break;
            }
            if (decay->points == room) {
                room = room ? 2 * room : 16;
                double *more = realloc(point, mem_bytes(room, NUMBERS * sizeof *point));
                if (!more) {
                    error_set(error, APSP_MEMORY, "%s: no memory for its points", path);
                    break;
                }
                point = more;
            }
            point[NUMBERS * decay->points] = distance;
            point[NUMBERS * decay->points++ + 1] = weight;
        }
    records_close(&records);
    decay->distance = point;
    return error->code;
}

/* Rank 0's points to all ranks: distances, then weights. */
static int share_points(struct apsp_decay *decay, struct comm *comm, struct apsp_error *error)
{
    comm_broadcast(comm, &decay->points, sizeof decay->points, 0);
    const double *point = decay->distance;
    double *all = malloc(mem_bytes(decay->points + 1, NUMBERS * sizeof *all));
    if (!all)
        no_memory(comm, error);
    for (size_t k = 0; all && comm->rank == 0 && k < decay->points; k++) {
        all[k] = point[NUMBERS * k];
        all[decay->points + k] = point[NUMBERS * k + 1];
    }
    free((void *)point);
    decay->distance = all;
    decay->weight = all ? all + decay->points : NULL;
    if (comm_agree(comm, error) == APSP_OK)
        comm_broadcast(comm, all, NUMBERS * decay->points * sizeof *all, 0);
    return error->code;
}

static int refuse_decay(const char *word, struct apsp_error *error)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strncmp(word, kinds[k].name, strlen(kinds[k].name)) == 0)
            return error_set(error, APSP_USAGE, "%s: expected %s, found '%s'", SETTING(DECAYS),
                             kinds[k].usage, word);
    return error_set(error, APSP_USAGE,
                     "%s: expected step, linear, exponential, logistic or table with a colon and "
                     "numbers or a file, found '%s'",
                     SETTING(DECAYS), word);
}

/* Collective. */
static int take_decay(struct apsp_decay *decay, const char *word, struct comm *comm,
                      struct apsp_error *error)
{
    const size_t length = strcspn(word, ":");
    size_t k = 0;
    double number[NUMBERS] = {0};
    char name[TEXT_LINE];
    while (k < sizeof kinds / sizeof *kinds &&
           (strlen(kinds[k].name) != length || strncmp(word, kinds[k].name, length) != 0))
        k++;
    if (k == sizeof kinds / sizeof *kinds || word[length] != ':' || !word[length + 1] ||
        !scan_numbers(word + length + 1, kinds[k].numbers, number))
        return refuse_decay(word, error);
    *decay =
        (struct apsp_decay){.kind = (enum apsp_decay_kind)k, .at = number[0], .spread = number[1]};
    if (decay->kind == APSP_DECAY_POINTS) {
        if (comm->rank == 0)
            read_points(decay, word + length + 1, error);
        if (comm_agree(comm, error) || share_points(decay, comm, error))
            return error->code;
    }
    snprintf(name, sizeof name, "%s %s", SETTING(DECAYS), word);
    return access_check_decay(decay, name, error);
}

/* Cutoffs are decays too. */
static int take_measures(struct access_request *request, const struct results_access *access,
                         struct comm *comm, struct apsp_error *error)
{
    struct access_plan *plan = &request->plan;
    const char *at = access->cutoffs;
    size_t next = 0;
    for (const size_t end = access_count_words(at); next < end && !error->code; next++)
        access_take_cutoff(&at, &request->measure[next], &request->decay[next].at, error);
    at = access->decays;
    for (; next < plan->decays && !error->code; next++) {
        char *word = request->measure[next] = take_word(&at);
        take_decay(&request->decay[next], word ? word : "", comm, error);
    }
    at = access->nearest;
    for (size_t k = 0; k < plan->shares && !error->code; k++) {
        char *word = take_word(&at);
        request->measure[next + k] = word ? malloc(strlen(word) + sizeof "nearest:") : NULL;
        if (request->measure[next + k])
            stpcpy(stpcpy(request->measure[next + k], "nearest:"), word);
        if (!word || !scan_numbers(word, 1, &request->share[k]) ||
            access_check_share(request->share[k], SETTING(ACCESS_NEAREST), error))
            error_set(error, APSP_USAGE, "%s: expected an amount above 0, found '%s'",
                      SETTING(ACCESS_NEAREST), word ? word : "");
        free(word);
    }
    return comm_agree(comm, error);
}

/* The names of the columns, in the first line. */
static int read_names(struct access_request *request, struct records *records,
                      struct apsp_error *error)
{
    double number;
    if (!records_next(records, error))
        return error->code ? error->code
                           : error_set(error, APSP_INPUT,
                                       "%s: expected a line of names: vertex,COLUMN,..; found "
                                       "nothing",
                                       records->path);
    if (records->count < 2 || records_number(records, 1, &number))
        return records_refuse(records, 1, "the name of a column, as in vertex,jobs", error);
    request->plan.columns = (size_t)records->count - 1;
    request->name = calloc(request->plan.columns, sizeof *request->name);
    for (size_t c = 0; request->name && c < request->plan.columns && !error->code; c++) {
        char text[RECORDS_TEXT];
        if (records_text(records, (int)c + 1, text, error) == APSP_OK)
            request->name[c] = strdup(text);
    }
    return request->name ? error->code
                         : error_set(error, APSP_MEMORY, "%s: no memory", records->path);
}

static int read_amounts(struct access_request *request, struct records *records,
                        const struct graph *graph, struct apsp_error *error)
{
    const size_t n = graph->n, columns = request->plan.columns;
    size_t vertex = 0;
    unsigned char *seen = mem_alloc(n);
    request->amount = mem_alloc(mem_bytes(mem_bytes(columns, n), sizeof *request->amount));
    if (!seen || !request->amount)
        error_set(error, APSP_MEMORY, "%s: no memory for its numbers", records->path);
    while (!error->code && records_next(records, error)) {
        if ((size_t)records->count != columns + 1)
            error_set(error, APSP_INPUT, "%s:%zu: expected %zu fields, found %d", records->path,
                      records->line, columns + 1, records->count);
        else if (records_vertex(records, 0, graph, &vertex, error) == APSP_OK && seen[vertex])
            records_refuse(records, 0, "a vertex that is not above", error);
        for (size_t c = 0; c < columns && !error->code; c++) {
            double *amount = &request->amount[c * n + vertex];
            if (!records_number(records, (int)c + 1, amount) || *amount < 0)
                records_refuse(records, (int)c + 1, "a number from 0 on", error);
        }
        if (!error->code)
            seen[vertex] = 1;
    }
    mem_free(seen);
    return error->code;
}

/* On rank 0. Without a file there is 1 at each vertex. */
static int read_file(struct access_request *request, const char *path, const struct graph *graph,
                     struct apsp_error *error)
{
    struct records records;
    if (!path) {
        request->plan.columns = 1;
        request->name = calloc(1, sizeof *request->name);
        request->amount = mem_alloc(mem_bytes(graph->n, sizeof *request->amount));
        if (!request->name || !request->amount || !(request->name[0] = strdup("vertices")))
            return error_set(error, APSP_MEMORY, "no memory for %zu amounts", graph->n);
        for (size_t v = 0; v < graph->n; v++)
            request->amount[v] = 1;
        return APSP_OK;
    }
    if (records_open(&records, path, "the table of opportunities", error) == APSP_OK &&
        read_names(request, &records, error) == APSP_OK)
        read_amounts(request, &records, graph, error);
    records_close(&records);
    return error->code;
}

/* Rank 0's amounts to all. Names are rank 0's alone, which writes them. */
static int share(struct access_request *request, size_t n, struct comm *comm,
                 struct apsp_error *error)
{
    comm_broadcast(comm, &request->plan.columns, sizeof request->plan.columns, 0);
    const size_t bytes = mem_bytes(mem_bytes(request->plan.columns, n), sizeof *request->amount);
    if (comm->rank > 0)
        request->amount = mem_alloc(bytes);
    if (!request->amount)
        no_memory(comm, error);
    if (comm_agree(comm, error))
        return error->code;
    comm_broadcast(comm, request->amount, bytes, 0);
    request->plan.amount = request->amount;
    return APSP_OK;
}

int access_request_read(struct access_request *request, const struct results_access *access,
                        const struct graph *graph, struct comm *comm, struct apsp_error *error)
{
    struct access_plan *plan = &request->plan;
    *request = (struct access_request){0};
    if (!access->path)
        return APSP_OK;
    plan->decays = access_count_words(access->cutoffs) + access_count_words(access->decays);
    plan->shares = access_count_words(access->nearest);
    request->measure = calloc(plan->decays + plan->shares + 1, sizeof *request->measure);
    plan->decay = request->decay = calloc(plan->decays + 1, sizeof *request->decay);
    plan->share = request->share = calloc(plan->shares + 1, sizeof *request->share);
    if (!request->measure || !request->decay || !request->share)
        no_memory(comm, error);
    if (comm_agree(comm, error) || take_measures(request, access, comm, error))
        return error->code;
    if (comm->rank == 0)
        read_file(request, access->opportunities, graph, error);
    return comm_agree(comm, error) ? error->code : share(request, graph->n, comm, error);
}

static void free_texts(char **text, size_t count)
{
    for (size_t k = 0; text && k < count; k++)
        free(text[k]);
    free(text);
}

void access_request_free(struct access_request *request)
{
    const struct access_plan *plan = &request->plan;
    for (size_t k = 0; request->decay && k < plan->decays; k++)
        free((void *)request->decay[k].distance);
    free(request->decay);
    free(request->share);
    mem_free(request->amount);
    free_texts(request->measure, plan->decays + plan->shares);
    free_texts(request->name, plan->columns);
    *request = (struct access_request){0};
}
