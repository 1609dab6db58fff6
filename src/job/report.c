#include "job/report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *count_of(char text[TEXT_SHORT], size_t count, const char *one, const char *many)
{
    char number[TEXT_NUMBER];
    snprintf(text, TEXT_SHORT, "%s %s", text_count(number, count), count == 1 ? one : many);
    return text;
}

static void print_places(const char *places, FILE *out)
{
    while (places && *places) {
        size_t length = strcspn(places, "\n");
        fprintf(out, "#   %.*s\n", (int)length, places);
        places += length + (places[length] == '\n');
    }
}

static bool is_bounded(const struct report *report)
{
    return report->real || report->bound < INT64_MAX;
}

/* The type and what is known of the distances: exact in whole numbers, and in reals as far as they, and the
 * potentials of negative weights, are whole numbers of the type's digits. */
static void print_type(const struct report *report, FILE *out)
{
    const struct dtype_info *type = &dtype_info[report->dtype];
    char bound[TEXT_NUMBER];
    bool exact = !report->real && (!type->real || report->bound >> type->digits == 0);
    fprintf(out, "# type       %s", type->name);
    if (!exact)
        fprintf(out, ", sums rounded to %d bits", type->digits);
    if (!exact && report->reach > 0)
        fprintf(out, ", absolute error about %.2g a sum by negative weights",
                ldexp(report->reach, 1 - type->digits));
    if (report->real)
        snprintf(bound, sizeof bound, "%.6g", report->bound_real);
    else
        text_count(bound, (size_t)report->bound);
    if (is_bounded(report))
        fprintf(out, ", proved in %.4f s: no distance exceeds %s", report->proof, bound);
    fputc('\n', out);
}

static void print_preamble(const struct report *report, FILE *out)
{
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT];
    fprintf(out, "# apsp %s\n", APSP_VERSION);
    fprintf(out, "# graph      %s\n", report->graph);
    fprintf(out, "#            %s, %s, ", count_of(a, report->vertices, "vertex", "vertices"),
            count_of(b, report->edges, "edge", "edges"));
    fprintf(out, "%s parallel, %s\n", text_count(a, report->parallel),
            count_of(b, report->loops, "loop", "loops"));
    fprintf(out, "# ranks      %s on %s, %s each\n", count_of(a, (size_t)report->ranks, "rank", "ranks"),
            count_of(b, (size_t)report->nodes, "node", "nodes"),
            count_of(c, (size_t)report->threads, "thread", "threads"));
    print_places(report->places, out);
    fprintf(out, "# device     %s, %s\n", report->device, report->kernel);
    fprintf(out, "# solver     %s, tile %s, transport %s\n", count_of(a, report->rounds, "round", "rounds"),
            text_count(b, report->tile), report->transport);
    print_type(report, out);
}

/* One row of the table; left out when the phase did not happen. `amount` is of the whole phase, NULL unit: no
 * rate. */
static void print_phase(const struct report *report, FILE *out, const char *name, double seconds,
                        double amount, const char *unit)
{
    char rate[TEXT_SHORT];
    double total = report->seconds.total;
    if (!(seconds > 0))
        return;
    fprintf(out, "%-22s %12.4f", name, seconds);
    if (total > 0)
        fprintf(out, " %7.1f %%", 100 * seconds / total);
    if (unit) {
        text_amount(rate, amount / seconds, unit);
        fprintf(out, " %*s%s", 9 - (int)strcspn(rate, " "), "", rate);
    }
    fputc('\n', out);
}

static void print_exposed(const struct report *report, FILE *out)
{
    double exposed = report->seconds.communication_exposed, solve = report->seconds.solve;
    if (report->ranks > 1 && solve > 0)
        fprintf(out, "%-22s %12.4f %7.1f %% of solve\n", "communication exposed", exposed,
                100 * exposed / solve);
}

static double cube(double x)
{
    return x * x * x;
}

static double square(double x)
{
    return x * x;
}

void report_print(const struct report *report, FILE *out)
{
    const struct report_seconds *seconds = &report->seconds;
    double n = (double)report->vertices, m = (double)report->edges;
    char verdict[TEXT_SHORT];
    print_preamble(report, out);
    fprintf(out, "#\n# %-20s %12s %9s %9s\n", "phase", "seconds", "share", "rate");
    print_phase(report, out, "read", seconds->read, m, "edges/s");
    print_phase(report, out, "build", seconds->build, m, "edges/s");
    print_phase(report, out, "solve", seconds->solve, cube(n), "relaxations/s");
    print_phase(report, out, "  close", seconds->close, 0, NULL);
    print_phase(report, out, "  panels", seconds->panels, 0, NULL);
    print_phase(report, out, "  bulk", seconds->bulk, 0, NULL);
    print_exposed(report, out);
    print_phase(report, out, "write", seconds->write,
                square(n) * (double)dtype_info[dtype_info[report->dtype].output].bytes, "B/s");
    print_phase(report, out, "verify", seconds->verify, (double)report->verified, "rows/s");
    print_phase(report, out, "predecessors", seconds->predecessors, n, "rows/s");
    print_phase(report, out, "total", seconds->total, 0, NULL);
    if (report->verified > 0)
        fprintf(out, "verify: %s\n",
                text_verdict(verdict, report->passed, report->verified, report->vertices));
    fflush(out);
}

/* The length of the UTF-8 character at p, or 0 where none begins. */
static size_t character_length(const unsigned char *p)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
    uint32_t code = length > 1 ? *p & 0x7fU >> length : *p;
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    bool wrong = length > 1 && (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000));
    return wrong ? 0 : length;
}

/* A path may hold any bytes, JSON only UTF-8: others become question marks. */
static void make_valid(char *text)
{
    while (*text) {
        size_t length = character_length((const unsigned char *)text);
        if (length == 0)
            *text = '?';
        text += length ? length : 1;
    }
}

/* Adds members to an object; remembers that one could not be added. */
struct writer {
    cJSON *object;
    bool failed;
};

static void add_number(struct writer *writer, const char *name, double value)
{
    writer->failed |= !cJSON_AddNumberToObject(writer->object, name, value);
}

/* As its own digits: cJSON prints numbers with 15. */
static void add_count(struct writer *writer, const char *name, size_t value)
{
    char text[TEXT_NUMBER];
    snprintf(text, sizeof text, "%zu", value);
    writer->failed |= !cJSON_AddRawToObject(writer->object, name, text);
}

static void add_text(struct writer *writer, const char *name, const char *text)
{
    writer->failed |= !cJSON_AddStringToObject(writer->object, name, text);
}

static struct writer add_object(struct writer *writer, const char *name)
{
    struct writer inner = {cJSON_AddObjectToObject(writer->object, name), false};
    writer->failed |= !inner.object;
    return inner;
}

static void add_graph(struct writer *whole, const struct report *report)
{
    struct writer graph = add_object(whole, "graph");
    char *path = strdup(report->graph);
    if (path) {
        make_valid(path);
        add_text(&graph, "path", path);
    }
    add_count(&graph, "vertices", report->vertices);
    add_count(&graph, "edges", report->edges);
    add_count(&graph, "parallel", report->parallel);
    add_count(&graph, "loops", report->loops);
    whole->failed |= !path || graph.failed;
    free(path);
}

static void add_seconds(struct writer *whole, const struct report_seconds *seconds)
{
    struct writer object = add_object(whole, "seconds");
    add_number(&object, "read", seconds->read);
    add_number(&object, "build", seconds->build);
    add_number(&object, "solve", seconds->solve);
    add_number(&object, "write", seconds->write);
    add_number(&object, "verify", seconds->verify);
    add_number(&object, "communication_exposed", seconds->communication_exposed);
    add_number(&object, "total", seconds->total);
    if (seconds->predecessors > 0)
        add_number(&object, "predecessors", seconds->predecessors);
    if (seconds->close + seconds->panels + seconds->bulk > 0) {
        add_number(&object, "close", seconds->close);
        add_number(&object, "panels", seconds->panels);
        add_number(&object, "bulk", seconds->bulk);
    }
    whole->failed |= object.failed;
}

static void add_verify(struct writer *whole, const struct report *report)
{
    struct writer verify = add_object(whole, "verify");
    add_count(&verify, "rows", report->verified);
    add_text(&verify, "status", report->verified == 0 ? "not run" : report->passed ? "passed" : "failed");
    whole->failed |= verify.failed;
}

char *report_json(const struct report *report)
{
    struct writer whole = {cJSON_CreateObject(), false};
    double solve = report->seconds.solve;
    add_text(&whole, "version", APSP_VERSION);
    add_graph(&whole, report);
    add_text(&whole, "dtype", dtype_info[report->dtype].name);
    if (!is_bounded(report))
        whole.failed |= !cJSON_AddNullToObject(whole.object, "bound");
    else if (report->real)
        add_number(&whole, "bound", report->bound_real);
    else
        add_count(&whole, "bound", (size_t)report->bound);
    add_count(&whole, "tile", report->tile);
    add_count(&whole, "rounds", report->rounds);
    add_count(&whole, "ranks", (size_t)report->ranks);
    add_text(&whole, "device", report->device);
    add_text(&whole, "transport", report->transport);
    add_seconds(&whole, &report->seconds);
    add_number(&whole, "relaxations_per_second", solve > 0 ? cube((double)report->vertices) / solve : 0);
    add_verify(&whole, report);
    char *bare = whole.failed ? NULL : cJSON_Print(whole.object), *text = NULL;
    if (bare && asprintf(&text, "%s\n", bare) < 0)
        text = NULL;
    cJSON_free(bare);
    cJSON_Delete(whole.object);
    return text;
}
