#include "run/report.h"

#include "base/standard.h"
#include "rows/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *count_of(char text[TEXT_SHORT], size_t count, const char *one, const char *many)
{
    char number[TEXT_NUMBER];
    snprintf(text, TEXT_SHORT, "%s %s", text_count(number, count), count == 1 ? one : many);
    return text;
}

/* A line with a name in it that comes from outside. */
static void print_foreign(const char *before, const char *text, const char *after, FILE *out)
{
    fputs(before, out);
    text_print_clean(out, text);
    fprintf(out, "%s\n", after);
}

static void print_lines(const char *before, const char *lines, FILE *out)
{
    char line[REPORT_LINE];
    while (text_take_line(&lines, line, sizeof line))
        print_foreign(before, line, "", out);
}

/* The type and what is known of the distances. */
static void print_type(const struct report *report, FILE *out)
{
    const struct dtype_info *type = &dtype_info[report->dtype];
    char bound[SCALE_TEXT], scale[SCALE_TEXT];
    const bool reliable = report->algebra == ALGEBRA_RELIABLE;
    if (report->algebra != ALGEBRA_SHORTEST)
        fprintf(out, "# paths      %s\n", algebra_name(report->algebra));
    fprintf(out, "# type       %s", type->name);
    if (!report->exact && reliable)
        fprintf(out,
                ", products rounded: a value p of k edges is off by about (k |log p| + 2) 2^-%d "
                "of itself",
                type->digits);
    else if (!report->exact)
        fprintf(out, ", sums rounded to %d bits", type->digits);
    if (!report->exact && !report->summed && report->reach > 0)
        fprintf(out, ", absolute error about %.2g a sum by negative weights",
                ldexp(report->reach, 1 - type->digits));
    if (report->real)
        snprintf(bound, sizeof bound, "%.6g", report->bound.real);
    else if (report->scaled)
        scale_text(report->scale, report->bound.whole, bound);
    else
        text_count(bound, (size_t)report->bound.whole);
    if (report_is_bounded(report))
        fprintf(out, ", proved in %.4f s: no distance exceeds %s", report->proof, bound);
    fputc('\n', out);
    if (!report->exact && !reliable)
        fputs(report->summed
                  ? "#            distances are sums along shortest paths in double precision: an "
                    "edge adds an error of 2^-53 of the weights' sizes at most\n"
                  : "#            distances are the solver's sums, in its order; --sums path adds "
                    "weights up along paths\n",
              out);
    if (!report->exact && report->rough)
        fputs(
            "#            weights have too many digits for exact sums: rounded to fewer, such as 2 "
            "decimals, they make distances exact, and the run faster\n",
            out);
    if (report->scaled && report->scale.power == 0)
        fputs("#            all weights are integral: distances are exact\n", out);
    else if (report->scaled)
        fprintf(out,
                "#            integers divided by %s, as all weights are: distances are "
                "exact%s\n",
                scale_print(report->scale, scale),
                dtype_info[report->file].real ? ", but for the last rounding in files" : "");
}

static void print_checkpoint(const struct checkpoint_figures *figures, FILE *out)
{
    char a[TEXT_SHORT], b[TEXT_SHORT], text[TEXT_LINE] = "";
    if (figures->resumed > 0)
        snprintf(text, sizeof text, ", went on after %s",
                 figures->rows ? count_of(a, figures->resumed, "row", "rows")
                               : count_of(a, figures->resumed, "vertex", "vertices"));
    snprintf(text + strlen(text), sizeof text - strlen(text), ", wrote %s",
             count_of(b, figures->taken, "checkpoint", "checkpoints"));
    if (figures->folder)
        print_foreign("# checkpoint ", figures->folder, text, out);
}

static void print_results(const struct report *report, FILE *out)
{
    char a[TEXT_NUMBER], b[TEXT_NUMBER], c[TEXT_NUMBER];
    if (!report->writes)
        fputs("# results    " REPORT_NOTHING "\n", out);
    if (report->counted)
        fprintf(out, "# results    %s of %s pairs, %s have no path\n", text_count(a, report->paths),
                text_count(b, report->pairs), text_count(c, report->pairs - report->paths));
    else if (report->omits)
        fprintf(out, "# results    %s of %s pairs have no path: statistics leave them out\n",
                text_count(c, report->pairs - report->paths), text_count(b, report->pairs));
}

static void print_preamble(const struct report *report, FILE *out)
{
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT];
    fprintf(out, "# apsp %s\n", APSP_VERSION);
    print_foreign("# graph      ", report->graph, "", out);
    fprintf(out, "#            %s, %s, ", count_of(a, report->vertices, "vertex", "vertices"),
            count_of(b, report->edges, "edge", "edges"));
    fprintf(out, "%s parallel, %s\n", text_count(a, report->parallel),
            count_of(b, report->loops, "loop", "loops"));
    if (report->about)
        print_foreign("#            ", report->about, "", out);
    if (report->numbering)
        print_foreign("#            ", report->numbering, "; --names FILE lists them", out);
    print_lines("#            ", report->notes, out);
    fprintf(out, "# ranks      %s on %s, %s each%s\n",
            count_of(a, (size_t)report->ranks, "rank", "ranks"),
            count_of(b, (size_t)report->nodes, "node", "nodes"),
            count_of(c, (size_t)report->threads, "thread", "threads"),
            report->requested > report->threads ? ", the limit of 4 a processor" : "");
    print_lines("#   ", report->places, out);
    fprintf(out, "# device     %s%s%s\n", report->device, *report->engine.device ? ", " : "",
            report->engine.device);
    fprintf(out, "# solver     %s, %s\n", report->method, report->solver);
    if (*report->reasons)
        fprintf(out, "#            chosen from %s\n", report->reasons);
    print_type(report, out);
    print_results(report, out);
    print_checkpoint(&report->checkpoint, out);
}

static void print_phase(const struct report *report, FILE *out, const struct report_phase *phase)
{
    char rate[TEXT_SHORT];
    if (!(phase->seconds > 0))
        return;
    fprintf(out, "%-22s %12.4f", phase->name, phase->seconds);
    if (report->total > 0)
        fprintf(out, " %7.1f %%", 100 * phase->seconds / report->total);
    if (phase->unit && phase->amount > 0) {
        text_amount(rate, phase->amount / phase->seconds, phase->unit);
        fprintf(out, " %*s%s", 9 - (int)strcspn(rate, " "), "", rate);
    }
    fputc('\n', out);
}

/* What solving consisted of. */
static void print_solve(const struct report *report, FILE *out)
{
    const struct engine_report *engine = &report->engine;
    char name[TEXT_SHORT];
    print_phase(report, out, &report->solve);
    for (int i = 0; i < engine->phases; i++) {
        snprintf(name, sizeof name, "  %s", engine->phase[i].name);
        print_phase(report, out,
                    &(struct report_phase){.name = name, .seconds = engine->phase[i].seconds});
    }
    if (report->ranks > 1 && report->solve.seconds > 0)
        fprintf(out, "%-22s %12.4f %7.1f %% of solve\n", "communication exposed", engine->exposed,
                100 * engine->exposed / report->solve.seconds);
}

void report_warn(const struct report *report)
{
    char line[REPORT_LINE];
    const char *lines = report->notes;
    for (unsigned left = report->warnings; text_take_line(&lines, line, sizeof line); left >>= 1)
        if (left & 1)
            standard_note(report->graph, line);
}

void report_print(const struct report *report, FILE *out)
{
    char verdict[TEXT_SHORT], seed[TEXT_SHORT] = "";
    if (report->verified < report->vertices)
        snprintf(seed, sizeof seed, "; seed %llu", (unsigned long long)report->seed);
    print_preamble(report, out);
    fprintf(out, "#\n# %-20s %12s %9s %9s\n", "phase", "seconds", "share", "rate");
    print_phase(report, out, &report->read);
    print_phase(report, out, &report->build);
    print_solve(report, out);
    print_phase(report, out,
                &(struct report_phase){"checkpoint", report->checkpoint.seconds,
                                       report->checkpoint.bytes, "B/s"});
    print_phase(report, out, &report->rows);
    print_phase(report, out, &report->sums);
    for (int i = 0; i < report->sinks; i++)
        print_phase(report, out, &report->sink[i]);
    print_phase(report, out, &(struct report_phase){.name = "total", .seconds = report->total});
    if (report->verified > 0)
        fprintf(out, "verify: %s%s%s\n", text_verdict(verdict, report->verified, report->vertices),
                report->read_back ? ", read back from the file" : "", seed);
    fflush(out);
}
