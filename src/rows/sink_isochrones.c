/*
 * The sink of isochrones: for each source the vertices within the cutoffs, each once, at the least
 * cutoff that it is within. They are pairs (sink_pairs.h) whose source counts, too. CSV has a line
 * for each. GeoJSON has a feature for each source and cutoff: the vertices beyond the cutoff
 * before.
 */
#include "base/digits.h"
#include "base/text.h"
#include "rows/isochrones.h"
#include "rows/sink_pairs.h"

#include <string.h>

enum { NUMBER = DIGITS_ROOM + 1, FEATURE = 256 }; /* Bytes at most, with a comma. */

static const struct isochrones *isochrones_wanted(const struct sink_task *task)
{
    return task->results->isochrones.wanted;
}

static bool is_beyond(const struct sink_task *task, union value distance, double cutoff)
{
    const union value most = choose_most(task->dtype, task->scale, cutoff);
    return dtype_info[task->dtype].real ? distance.real > most.real : distance.whole > most.whole;
}

/* The number of the least cutoff that the distance is within. */
static size_t band_of(const struct sink_task *task, union value distance)
{
    const struct isochrones *isochrones = isochrones_wanted(task);
    size_t k = 0;
    while (k + 1 < isochrones->count && is_beyond(task, distance, isochrones->cutoff[k]))
        k++;
    return k;
}

static char *put_place(char *out, const struct isochrones *isochrones, uint32_t vertex)
{
    out = digits_shortest(out, isochrones->x[vertex]);
    *out++ = ',';
    return digits_shortest(out, isochrones->y[vertex]);
}

static char *put_csv(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count)
{
    const struct labels labels = task->certificate.labels;
    const struct isochrones *isochrones = isochrones_wanted(task);
    for (size_t i = 0; i < count; i++) {
        out = label_put_csv(out, labels, source);
        *out++ = ',';
        out = label_put_csv(out, labels, pairs[i].vertex);
        *out++ = ',';
        out = pairs_put_distance(out, task, pairs[i].distance);
        *out++ = ',';
        out = digits_shortest(out, isochrones->cutoff[band_of(task, pairs[i].distance)]);
        if (isochrones->x) {
            *out++ = ',';
            out = put_place(out, isochrones, pairs[i].vertex);
        }
        *out++ = '\n';
    }
    return out;
}

static size_t most_csv(const struct sink_task *task)
{
    return PAIRS_DISTANCE + 2 * (label_csv_most(task->certificate.labels) + 1) + 3 * (size_t)NUMBER;
}

static size_t head_csv(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    const char *head = isochrones_wanted(file->task)->x ? "source,vertex,distance,cutoff,x,y\n"
                                                        : "source,vertex,distance,cutoff\n";
    return part > 0 ? 0 : (size_t)(stpcpy(out, head) - out);
}

/* The pairs of cutoff k. */
static char *put_feature(char *out, const struct sink_task *task, const struct pair *pairs,
                         size_t count, size_t k)
{
    const char *comma = "";
    out = stpcpy(out, ",\"vertices\":[");
    for (size_t i = 0; i < count; i++)
        if (band_of(task, pairs[i].distance) == k) {
            out = label_put_json(stpcpy(out, comma), task->certificate.labels, pairs[i].vertex);
            comma = ",";
        }
    comma = "";
    out = stpcpy(out, "]},\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":[");
    for (size_t i = 0; i < count; i++)
        if (band_of(task, pairs[i].distance) == k) {
            out = put_place(stpcpy(stpcpy(out, comma), "["), isochrones_wanted(task),
                            pairs[i].vertex);
            *out++ = ']';
            comma = ",";
        }
    return stpcpy(out, "]}}");
}

static char *put_geojson(char *out, const struct sink_task *task, size_t source,
                         const struct pair *pairs, size_t count)
{
    const char *comma = sink_place(task, source) > 0 ? ",\n" : "";
    for (size_t k = 0; k < isochrones_wanted(task)->count; k++) {
        out = stpcpy(stpcpy(out, comma), "{\"type\":\"Feature\",\"properties\":{\"source\":");
        out = label_put_json(out, task->certificate.labels, source);
        out = digits_shortest(stpcpy(out, ",\"cutoff\":"), isochrones_wanted(task)->cutoff[k]);
        out = put_feature(out, task, pairs, count, k);
        comma = ",\n";
    }
    return out;
}

static size_t most_geojson(const struct sink_task *task)
{
    return label_json_most(task->certificate.labels) + 2 * (size_t)NUMBER + sizeof ",[],";
}

static size_t beside_geojson(const struct sink_task *task)
{
    return isochrones_wanted(task)->count * (FEATURE + label_json_most(task->certificate.labels));
}

static size_t head_geojson(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    (void)file;
    return (size_t)(stpcpy(out, part > 0 ? "\n]}\n"
                                         : "{\"type\":\"FeatureCollection\",\"features\":[\n") -
                    out);
}

static const struct pairs_format csv = {
    .parts = 1, .own = true, .most = most_csv, .put = put_csv, .head = head_csv};
static const struct pairs_format geojson = {.parts = 1,
                                            .own = true,
                                            .most = most_geojson,
                                            .beside = beside_geojson,
                                            .put = put_geojson,
                                            .head = head_geojson};

static const struct pairs_format *format_of(const struct results *results)
{
    return text_has_suffix(results->isochrones.path, ".geojson") ? &geojson : &csv;
}

static const char *path(const struct results *results)
{
    return results->isochrones.path;
}

/* The pairs up to the last cutoff. */
static struct results chosen(const struct results *results)
{
    const struct isochrones *isochrones = results->isochrones.wanted;
    struct results chosen = *results;
    chosen.distances = results->isochrones.path;
    chosen.skims = NULL;
    chosen.nearest = 0;
    chosen.bounded = true;
    chosen.within = isochrones->cutoff[isochrones->count - 1];
    return chosen;
}

static struct rows_near near(const struct sink_task *task)
{
    const struct results results = chosen(task->results);
    return (struct rows_near){.asked = true,
                              .most = choose_most(task->dtype, task->scale, results.within)};
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    const struct results results = chosen(task->results);
    return sink_pairs_need(task, &results, format_of(&results), lanes);
}

static int open_isochrones(struct sink *sink, struct apsp_error *error)
{
    const struct results results = chosen(sink->task->results);
    return sink_pairs_open(sink, &results, format_of(&results), error);
}

const struct sink_ops sink_isochrones = {
    .name = "isochrones",
    .works = true,
    .targets = true,
    .path = path,
    .setting = SETTING_ISOCHRONES,
    .suffixes = ".csv .geojson",
    .near = near,
    .need = need,
    .open = open_isochrones,
    .take = sink_pairs_take,
    .merge = sink_pairs_merge,
    .close = sink_pairs_close,
};
