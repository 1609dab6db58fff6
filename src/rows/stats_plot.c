/*
 * The histogram of all distances as a drawing, in SVG. Its ticks are the numbers 1, 2 and 5 times a
 * power of ten that leave about eight of them, as of P. Heckbert, "Nice numbers for graph labels",
 * Graphics Gems, 1990. A bar of a whole distance is centred on it.
 */
#include "rows/stats.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 500, LEFT = 90, RIGHT = 870, TOP = 80, BOTTOM = 430, TICKS = 8 };

struct plot {
    const struct apsp_stats *stats;
    struct stats_bars bars;
    double high; /* of the axis, which begins with the bars */
    double most; /* the end of the axis of pairs */
    FILE *out;
};

/* The step between ticks of a range. */
static double tick_step(double range)
{
    const double rough = range / TICKS, power = pow(10, floor(log10(rough))), rest = rough / power;
    return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

/* Whole distances [k, k + w) go from half below the first to half above the last. */
struct stats_bars stats_bars(const struct apsp_stats *stats)
{
    struct stats_bars bars = {0};
    const double half = stats->real ? 0 : 0.5,
                 width = stats->width.real > 0 ? stats->width.real : 1;
    const double low = stats->bins ? stats->bin[0].from.real : 0,
                 high = stats->bins ? stats->bin[stats->bins - 1].from.real + width : width;
    bars.width = ceil((high - low) / width / STATS_BARS) * width;
    for (size_t k = 0; k < stats->bins; k++)
        bars.pairs[(size_t)((stats->bin[k].from.real - low) / bars.width)] += stats->bin[k].pairs;
    bars.low = low - half;
    bars.count = (size_t)ceil((high - low) / bars.width);
    return bars;
}

static void find_axes(struct plot *plot)
{
    const struct stats_bars *bars = &plot->bars;
    for (size_t k = 0; k <= STATS_BARS; k++)
        plot->most = fmax(plot->most, (double)bars->pairs[k]);
    plot->high = bars->low + (double)bars->count * bars->width;
    plot->most = plot->most > 0 ? plot->most * 1.05 : 1;
}

static double at_distance(const struct plot *plot, double distance)
{
    return LEFT + (distance - plot->bars.low) / (plot->high - plot->bars.low) * (RIGHT - LEFT);
}

static double at_pairs(const struct plot *plot, double pairs)
{
    return BOTTOM - pairs / plot->most * (BOTTOM - TOP);
}

static void print_text(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? '?' : *text, out);
        }
}

/* 12.5 M, with the prefixes of thousands. */
static void print_amount(FILE *out, double value)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    size_t i = 0;
    for (; value >= 1000 && i + 1 < sizeof prefixes / sizeof *prefixes; i++)
        value /= 1000;
    fprintf(out, "%.4g%s", value, prefixes[i]);
}

static void draw_axes(const struct plot *plot)
{
    FILE *out = plot->out;
    double step = tick_step(plot->most);
    if (step < 1) /* pairs are whole */
        step = 1;
    for (int tick = 0; tick * step <= plot->most; tick++) {
        const double pairs = tick * step;
        fprintf(out, "<path d='M%d %.1fH%d' stroke='#ddd'/><text x='%d' y='%.1f' class='y'>", LEFT,
                at_pairs(plot, pairs), RIGHT, LEFT - 8, at_pairs(plot, pairs) + 5);
        print_amount(out, pairs);
        fputs("</text>\n", out);
    }
    step = tick_step(plot->high - plot->bars.low);
    if (!plot->stats->real && step < 1)
        step = 1;
    for (double k = ceil(plot->bars.low / step) + 0.0; k * step <= plot->high; k++) /* not -0 */
        fprintf(out,
                "<path d='M%.1f %dv6' stroke='#444'/><text x='%.1f' y='%d' class='x'>%.6g</text>\n",
                at_distance(plot, k * step), BOTTOM, at_distance(plot, k * step), BOTTOM + 22,
                k * step);
    fprintf(out,
            "<path d='M%d %dH%d' stroke='#444'/><text x='%d' y='%d' class='x'>distance</text>\n"
            "<text transform='translate(22 %d) rotate(-90)' class='x'>pairs of vertices</text>\n",
            LEFT, BOTTOM, RIGHT, (LEFT + RIGHT) / 2, BOTTOM + 48, (TOP + BOTTOM) / 2);
}

/* Between bars of integers that are wide is a gap of a quarter. */
static void draw_bars(const struct plot *plot)
{
    enum { WIDE = 24, NARROW = 6 };
    const double each = plot->bars.width / (plot->high - plot->bars.low) * (RIGHT - LEFT),
                 gap = each > WIDE && !plot->stats->real ? each / 4
                       : each > NARROW                   ? 1
                                                         : 0;
    fputs("<g fill='#8fb3d9' shape-rendering='crispEdges'>\n", plot->out);
    for (size_t k = 0; k <= STATS_BARS; k++)
        if (plot->bars.pairs[k] > 0)
            fprintf(plot->out, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f'/>\n",
                    LEFT + (double)k * each + gap / 2, at_pairs(plot, (double)plot->bars.pairs[k]),
                    each - gap, BOTTOM - at_pairs(plot, (double)plot->bars.pairs[k]));
    fputs("</g>\n", plot->out);
}

static double median_of(const struct apsp_stats *stats)
{
    int q = 0;
    while (q + 1 < APSP_QUANTILES && stats_share(q) != 0.5)
        q++;
    return stats->quantile[q].at.real;
}

static void draw_mark(const struct plot *plot, double distance, const char *dashes)
{
    fprintf(plot->out, "<path d='M%.1f %dV%d' stroke='#c0392b' stroke-width='1.5'%s/>\n",
            at_distance(plot, distance), TOP, BOTTOM, dashes);
}

/* What the drawing is of, and its numbers. */
static void draw_title(const struct plot *plot, const char *graph)
{
    const struct apsp_stats *stats = plot->stats;
    const size_t slash = strrchr(graph, '/') ? (size_t)(strrchr(graph, '/') - graph) + 1 : 0;
    const uint64_t pairs = stats->pairs > stats->sources ? stats->pairs - stats->sources : 0;
    char n[TEXT_NUMBER], count[TEXT_NUMBER];
    fprintf(plot->out, "<text x='%d' y='34' class='t'>Shortest distances in ", LEFT);
    print_text(plot->out, graph + slash);
    fprintf(plot->out, "</text>\n<text x='%d' y='60'>n = %s, %s pair%s with a path", LEFT,
            text_count(n, stats->vertices), text_count(count, pairs), pairs == 1 ? "" : "s");
    if (isfinite(stats->mean) && stats->bins > 0) {
        fprintf(plot->out, ", median %.6g (line), mean %.6g (dashes)", median_of(stats),
                stats->mean);
        fputs("</text>\n", plot->out);
        draw_mark(plot, median_of(stats), "");
        draw_mark(plot, stats->mean, " stroke-dasharray='6 4'");
    } else {
        fputs("</text>\n", plot->out);
    }
}

void stats_svg(FILE *out, const void *self)
{
    const struct stats_drawing *drawing = self;
    struct plot plot = {.stats = drawing->stats, .bars = stats_bars(drawing->stats), .out = out};
    find_axes(&plot);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'>\n"
            "<style>text{font:14px sans-serif;fill:#222}.x{text-anchor:middle}.y{text-anchor:end}"
            ".t{font-size:20px}</style>\n<rect width='%d' height='%d' fill='white'/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_axes(&plot);
    draw_bars(&plot);
    draw_title(&plot, drawing->graph);
    fputs("</svg>\n", out);
}
