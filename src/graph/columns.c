#include "graph/columns.h"

#include "base/number.h"
#include "base/setting.h"
#include "base/text.h"
#include "base/words.h"

#include <string.h>

/* The place of the field that is called as one of the names, with blanks between them; or -1. */
static int find_called(const struct field *fields, int count, const char *names)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        for (int i = 0; i < count; i++)
            if (fields_called(&fields[i], names, length))
                return i;
        names += length + strspn(names + length, " ");
    }
    return -1;
}

/* How headers name the ends of edges, and weights. */
static const char *const ends[][2] = {{"from", "to"},
                                      {"source", "target"},
                                      {"src", "dst"},
                                      {"src", "dest"},
                                      {"source", "destination"},
                                      {"fromnode", "tonode"},
                                      {"fromnodeid", "tonodeid"},
                                      {"node1", "node2"},
                                      {"start", "end"},
                                      {"tail", "head"}};
/* One of these is the weight among any other columns, */
static const char weights[] = "weight length distance cost w";
/* one of these, or a name with one of the words, if it is the only other column. */
static const char third_weights[] =
    "weights lengths distances costs wt len dist duration time traveltime travel_time seconds "
    "minutes hours km miles metres meters value";
static const char weight_words[] = "weight length distance cost dist duration";

bool columns_weigh(const struct field *name)
{
    if (find_called(name, 1, weights) == 0 || find_called(name, 1, third_weights) == 0)
        return true;
    for (size_t i = 0; i < name->length;) {
        struct field word = {name->text + i, 0};
        while (i + word.length < name->length && text_is_alnum(word.text[word.length]))
            word.length++;
        if (find_called(&word, 1, weight_words) == 0)
            return true;
        i += word.length + 1;
    }
    return false;
}

static bool is_number(const struct field *field)
{
    union value value;
    bool rough = false;
    return fields_scan(field, INT64_MAX, &value, &rough) < FIELD_LARGE;
}

/* What may stand above numbers: "inf", and what is a number but for its size or its comma, may not.
 */
static bool is_word(const struct field *field)
{
    bool letter = field->length > 0 && (text_is_letter(*field->text) || *field->text >= 0x80);
    return letter && !fields_is_gap(field);
}

/* Whether the first column has no name, where all others have one: it counts the lines. */
static bool has_index(const struct columns *shape, const struct field *fields)
{
    bool found = shape->separator && shape->count > 2 && fields->length == 0;
    for (int i = 1; found && i < shape->count; i++)
        found = is_word(&fields[i]);
    return found;
}

/* Words for ends of edges name the columns, but not where a number stands among them: the line is
 * then an edge between vertices that are called so. Nor where no other column is called like a
 * weight. */
static bool settle_by_words(struct columns *shape, const struct field *fields)
{
    const int others = shape->count - 2 - has_index(shape, fields);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        shape->from = find_called(fields, shape->count, ends[i][0]);
        shape->to = find_called(fields, shape->count, ends[i][1]);
        if (shape->from < 0 || shape->to < 0)
            continue;
        shape->weight = find_called(fields, shape->count, weights);
        shape->header = shape->weight >= 0 || others == 0;
        if (shape->header || others > 1)
            return shape->header;
        /* The index is place 0, so that the places of the rest add up to those of all. */
        shape->weight = shape->count * (shape->count - 1) / 2 - shape->from - shape->to;
        shape->header = is_word(&fields[shape->weight]);
        return shape->header || !is_number(&fields[shape->weight]);
    }
    return false;
}

/* Behind an index the ends, and a weight if the name of a fourth column says so. */
static bool settle_by_index(struct columns *shape, const struct field *fields)
{
    const bool weighted = columns_weigh(&fields[shape->count - 1]);
    if (!has_index(shape, fields) || shape->count != (weighted ? 4 : 3))
        return false;
    shape->from = 1;
    shape->to = 2;
    shape->weight = weighted ? 3 : -1;
    shape->header = true;
    return true;
}

/* Whether the fields of the ends are called as such. */
static bool are_ends(const struct field *from, const struct field *to)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if ((find_called(from, 1, ends[i][0]) == 0 && find_called(to, 1, ends[i][1]) == 0) ||
            (find_called(from, 1, ends[i][1]) == 0 && find_called(to, 1, ends[i][0]) == 0))
            return true;
    return false;
}

/* Whether the first line names the columns, by what stands in it and below it; false if it does not
 * and is no edge either. `gaps`: a weight may be missing. */
static bool settle_header(struct columns *shape, const struct field *first,
                          const struct field *second, bool gaps, char what[COLUMNS_WHAT])
{
    const struct field *from = &first[shape->from], *to = &first[shape->to];
    if (shape->header)
        return true;
    if (shape->weight < 0) {
        shape->header = are_ends(from, to) ||
                        (second && !is_number(from) && !is_number(to) &&
                         is_number(&second[shape->from]) && is_number(&second[shape->to]));
        return true;
    }
    const struct field *weight = &first[shape->weight];
    shape->header = is_word(weight) && (!second || is_number(&second[shape->weight]) ||
                                        fields_is_gap(&second[shape->weight]));
    if (shape->header || is_number(weight) || (gaps && fields_is_gap(weight)))
        return true;
    char shown[FIELD_SHOWN];
    if (weight->length == 0) {
        snprintf(what, COLUMNS_WHAT, FIELDS_NO_WEIGHT, SETTING(NO_EDGE));
        return false;
    }
    if (fields_is_gap(weight)) {
        snprintf(what, COLUMNS_WHAT, "the weight '%s' " FIELDS_NO_NUMBER,
                 fields_show(weight, shown), SETTING(NO_EDGE));
        return false;
    }
    snprintf(what, COLUMNS_WHAT,
             "the weight '%s' " FIELDS_NO_DECIMAL ", and names no column of numbers%s",
             fields_show(weight, shown), fields_hint(weight));
    return false;
}

/* The column at `text` of a list of them: its place, or its name in the header. */
static int find_column(const struct columns *shape, const struct field *first, const char *text,
                       size_t length, bool *named)
{
    char copy[LINE_LONGEST + 1];
    uint64_t number;
    if (length >= sizeof copy)
        return -1;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (number_parse(copy, 1, (uint64_t)shape->count, &number))
        return (int)number - 1;
    *named = true;
    for (int i = 0; i < shape->count; i++)
        if (fields_called(&first[i], text, length))
            return i;
    return -1;
}

/* There is no such column: names those that there are, and which may be meant. */
static bool refuse_column(const struct columns *shape, const struct field *first,
                          enum setting setting, const char *text, size_t length,
                          char what[COLUMNS_WHAT])
{
    char word[FIELD_SHOWN], hint[TEXT_SHORT], shown[FIELD_SHOWN];
    snprintf(word, sizeof word, "%.*s", length < FIELD_CUT ? (int)length : FIELD_CUT, text);
    struct guess guess = guess_start(word);
    size_t used = (size_t)snprintf(what, COLUMNS_WHAT,
                                   "%s: there is no column '%s' among the %d of the first line: ",
                                   setting_name(setting), word, shape->count);
    for (int i = 0; i < shape->count; i++) {
        guess_try(&guess, (const char *)first[i].text, first[i].length);
        if (used + FIELD_SHOWN + TEXT_SHORT < COLUMNS_WHAT)
            used += (size_t)snprintf(what + used, COLUMNS_WHAT - used, "%s%s", i > 0 ? ", " : "",
                                     fields_show(&first[i], shown));
    }
    snprintf(what + used, COLUMNS_WHAT - used, "%s", guess_text(hint, &guess, ""));
    return false;
}

static bool settle_by_columns(struct columns *shape, const struct field *first, const char *columns,
                              char what[COLUMNS_WHAT])
{
    int *const places[] = {&shape->from, &shape->to, &shape->weight};
    shape->header = false;
    for (int i = 0;; i++) {
        size_t length = strcspn(columns, ",");
        if (i == 3 || length == 0) {
            snprintf(what, COLUMNS_WHAT, "%s takes FROM,TO or FROM,TO,WEIGHT", SETTING(COLUMNS));
            return false;
        }
        *places[i] = find_column(shape, first, columns, length, &shape->header);
        if (*places[i] < 0) {
            return refuse_column(shape, first, SETTING_COLUMNS, columns, length, what);
        }
        for (int k = 0; k < i; k++)
            if (*places[k] == *places[i]) {
                snprintf(what, COLUMNS_WHAT, "%s takes column %d twice", SETTING(COLUMNS),
                         *places[i] + 1);
                return false;
            }
        columns += length;
        if (*columns == '\0' && i > 0)
            return true;
        columns += *columns == ',';
    }
}

/* The column of the weight key; ends by their words, else the first two columns. */
static bool settle_by_key(struct columns *shape, const struct field *first, const char *key,
                          char what[COLUMNS_WHAT])
{
    shape->weight = find_column(shape, first, key, strlen(key), &shape->header);
    if (shape->weight < 0)
        return refuse_column(shape, first, SETTING_WEIGHT_KEY, key, strlen(key), what);
    shape->from = shape->to = -1;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && (shape->from < 0 || shape->to < 0); i++) {
        shape->from = find_called(first, shape->count, ends[i][0]);
        shape->to = find_called(first, shape->count, ends[i][1]);
    }
    if (shape->from < 0 || shape->to < 0) {
        shape->from = 0;
        shape->to = 1;
    }
    if (shape->from != shape->weight && shape->to != shape->weight)
        return true;
    snprintf(what, COLUMNS_WHAT, "%s '%.40s' is an end of the edges", SETTING(WEIGHT_KEY), key);
    return false;
}

static bool are_numbers(const struct field *fields, int count)
{
    while (count > 0 && is_number(&fields[count - 1]))
        count--;
    return count == 0;
}

static bool settle_places(struct columns *shape, const struct field *first,
                          const struct graph_options *options, char what[COLUMNS_WHAT])
{
    const char *columns = options ? options->columns : NULL,
               *key = options ? options->weight_key : NULL;
    if (columns && !settle_by_columns(shape, first, columns, what))
        return false;
    if (columns && key) {
        const int from = shape->from, to = shape->to;
        if (!settle_by_key(shape, first, key, what))
            return false;
        shape->from = from;
        shape->to = to;
    }
    if (columns)
        return true;
    if (key)
        return settle_by_key(shape, first, key, what);
    if (settle_by_words(shape, first) || settle_by_index(shape, first))
        return true;
    if (shape->count < 2) {
        snprintf(what, COLUMNS_WHAT,
                 "one column, where an edge takes two or three, with commas, semicolons, tabs, "
                 "bars or blanks between them");
        return false;
    }
    if (shape->count > 3) {
        const bool comma = shape->separator == ',' && are_numbers(first, shape->count);
        snprintf(what, COLUMNS_WHAT,
                 "%d columns, where an edge takes two or three: %s FROM,TO,WEIGHT, or FROM,TO "
                 "without weights, says which are meant; %s table reads a matrix%s",
                 shape->count, SETTING(COLUMNS), SETTING(FORMAT),
                 comma ? "; a decimal comma needs another separator" : "");
        return false;
    }
    shape->from = 0;
    shape->to = 1;
    shape->weight = shape->count == 3 ? 2 : -1;
    return true;
}

/* Several numbers with blanks between them: the separator is another one. */
static bool is_several(const struct field *field)
{
    bool blanks = false;
    for (size_t i = 0; i < field->length; i++) {
        blanks |= line_is_blank(field->text[i]);
        if (!line_is_blank(field->text[i]) && (field->text[i] < '0' || field->text[i] > '9'))
            return false;
    }
    return blanks;
}

static size_t describe_column(char *text, size_t room, const struct columns *shape, int column,
                              const struct field *first)
{
    char shown[FIELD_SHOWN];
    if (!shape->header)
        return (size_t)snprintf(text, room, "%d", column + 1);
    return (size_t)snprintf(text, room, "%d (%s)", column + 1, fields_show(&first[column], shown));
}

/* Another column than the weight that its name makes one. */
static void note_other_weight(struct columns *shape, const struct field *first)
{
    char taken[FIELD_SHOWN], shown[FIELD_SHOWN];
    for (int i = 0; i < shape->count && !shape->doubtful; i++) {
        if (i == shape->from || i == shape->to || i == shape->weight || !columns_weigh(&first[i]))
            continue;
        snprintf(shape->note, GRAPH_ABOUT,
                 "weights are column %d (%s); %s %d,%d,%d takes column %d (%s)", shape->weight + 1,
                 fields_show(&first[shape->weight], taken), SETTING(COLUMNS), shape->from + 1,
                 shape->to + 1, i + 1, i + 1, fields_show(&first[i], shown));
        shape->doubtful = true;
    }
}

/* Below a header line a column is the weight only if its name says so. */
static void check_weight(struct columns *shape, const struct field *first)
{
    char shown[FIELD_SHOWN];
    const int column = shape->weight;
    if (!shape->header || column < 0)
        return;
    if (columns_weigh(&first[column])) {
        note_other_weight(shape, first);
        return;
    }
    shape->weight = -1;
    if (fields_called(&first[column], "type", strlen("type")))
        return;
    shape->doubtful = !fields_called(&first[column], "id", strlen("id"));
    snprintf(shape->note, GRAPH_ABOUT,
             "weights are 1, since the name of column %d (%s) does not name a weight; %s "
             "%d,%d,%d takes it",
             column + 1, fields_show(&first[column], shown), SETTING(COLUMNS), shape->from + 1,
             shape->to + 1, column + 1);
}

/* For the report. */
static void describe(struct columns *shape, const struct field *first)
{
    char *text = shape->about;
    size_t used = (size_t)snprintf(text, GRAPH_ABOUT, "columns FROM=");
    used += describe_column(text + used, GRAPH_ABOUT - used, shape, shape->from, first);
    used += (size_t)snprintf(text + used, GRAPH_ABOUT - used, ", TO=");
    used += describe_column(text + used, GRAPH_ABOUT - used, shape, shape->to, first);
    used += (size_t)snprintf(text + used, GRAPH_ABOUT - used,
                             shape->weight < 0 ? ", weights 1" : ", WEIGHT=");
    if (shape->weight >= 0)
        used += describe_column(text + used, GRAPH_ABOUT - used, shape, shape->weight, first);
    snprintf(text + used, GRAPH_ABOUT - used,
             shape->header ? ", below a header line" : ", no header line");
}

/* The column of directions, which may be the only one that is called by a name. */
static bool settle_oneway(struct columns *shape, const struct field *first, const char *name,
                          char what[COLUMNS_WHAT])
{
    bool named = false;
    shape->direction = find_column(shape, first, name, strlen(name), &named);
    if (shape->direction < 0)
        return refuse_column(shape, first, SETTING_ONEWAY, name, strlen(name), what);
    shape->header |= named;
    shape->oneway = true;
    return true;
}

bool columns_settle(struct columns *shape, unsigned char *first, unsigned char *second,
                    const struct graph_options *options, char what[COLUMNS_WHAT])
{
    const bool told = options && (options->columns || options->weight_key);
    struct field one[FIELDS_MAX], two[FIELDS_MAX];
    *shape = (struct columns){.separator = fields_separator(first), .weight = -1};
    shape->count = fields_cut(shape->separator, first, one);
    if (shape->count < 1 || shape->count > FIELDS_MAX) {
        snprintf(what, COLUMNS_WHAT,
                 shape->count < 0   ? "a quote does not end with its field"
                 : shape->count < 1 ? "no vertex" /* carriage returns alone */
                                    : "more than %d columns",
                 FIELDS_MAX);
        return false;
    }
    if (!settle_places(shape, one, options, what))
        return false;
    if (is_several(&one[shape->from]) || is_several(&one[shape->to])) {
        snprintf(what, COLUMNS_WHAT,
                 "both blanks and '%c' stand between numbers: is it a decimal comma, where a point "
                 "is needed?",
                 shape->separator);
        return false;
    }
    bool alike = second && fields_cut(shape->separator, second, two) == shape->count;
    if (!settle_header(shape, one, alike ? two : NULL, options && options->no_edge, what))
        return false;
    if (!told)
        check_weight(shape, one);
    if (options && options->unweighted)
        *shape->note = '\0';
    shape->direction = shape->header ? find_called(one, shape->count, "type") : -1;
    if (options && options->oneway && !settle_oneway(shape, one, options->oneway, what))
        return false;
    describe(shape, one);
    return true;
}
