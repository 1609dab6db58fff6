#include "cli/relay.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* How lines of the commands that have ranks begin. */
static const char *const own[] = {"apsp: ", "apsp-verify: "};

enum { OWN = sizeof own / sizeof *own, RULE = 60 }; /* dashes of a line of them, at least */

static void flush(struct relay *relay)
{
    const char *data = relay->passing;
    while (relay->passed > 0) {
        ssize_t put = write(relay->to, data, relay->passed);
        if (put < 0 && errno != EINTR)
            put = (ssize_t)relay->passed; /* nobody listens any more */
        data += put > 0 ? put : 0;
        relay->passed -= put > 0 ? (size_t)put : 0;
    }
}

/* A bar is erased by blanks from the beginning of its line. */
static void look(struct relay *relay, char c)
{
    if (c == '\n' || (c == ' ' && relay->last == '\r'))
        relay->shows = false;
    else if (c != ' ' && c != '\r')
        relay->shows = true;
}

static void pass(struct relay *relay, const char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        look(relay, data[i]);
        relay->last = relay->passing[relay->passed++] = data[i];
        if (relay->passed == sizeof relay->passing)
            flush(relay);
    }
}

/* The words of the blocks, one blank between two. */
static void keep(struct relay *relay, const char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        bool blank = data[i] == ' ' || data[i] == '\n',
             after = relay->length && relay->words[relay->length - 1] != ' ';
        if (relay->length + 1 < sizeof relay->words && (!blank || after))
            relay->words[relay->length++] = blank ? ' ' : data[i];
    }
}

static void put(struct relay *relay, const char *data, size_t bytes)
{
    if (relay->state == RELAY_KEEP)
        keep(relay, data, bytes);
    else
        pass(relay, data, bytes);
}

/* Whether these bytes begin such a line; or, `open`, are the beginning of what begins one. */
static bool is_own(const char *begin, size_t length, bool open)
{
    for (int i = 0; i < OWN; i++) {
        size_t whole = strlen(own[i]), some = length < whole ? length : whole;
        if ((open ? length < whole : length >= whole) && memcmp(begin, own[i], some) == 0)
            return true;
    }
    return false;
}

/* The dashes were no line. */
static void put_dashes(struct relay *relay)
{
    for (; relay->dashes > 0; relay->dashes--)
        put(relay, "-", 1);
}

bool relay_is_open(const struct relay *relay)
{
    return relay->last && relay->last != '\n' && (relay->last != '\r' || relay->shows);
}

/* What is at most a line: the rest of one that dashes have come into follows the block. */
static void take_rest(struct relay *relay, char c)
{
    bool ends = c == '\n' || c == '\r';
    if (c == '-') {
        relay->dashes++;
        return;
    }
    if (ends && relay->dashes >= RULE) {
        relay->dashes = 0;
        relay->rules++;
    } else {
        put_dashes(relay);
        put(relay, &c, 1);
    }
    if (ends)
        relay->state = RELAY_BEGIN;
}

static void decide(struct relay *relay)
{
    bool ours = is_own(relay->begin, relay->undecided, false);
    size_t length = relay->undecided;
    relay->said |= ours;
    relay->state = relay->rules % 2 && !ours ? RELAY_KEEP : RELAY_PASS;
    relay->undecided = 0;
    if (ours && relay_is_open(relay))
        pass(relay, "\n", 1);
    for (size_t i = 0; i < length; i++)
        take_rest(relay, relay->begin[i]);
}

static void take(struct relay *relay, char c)
{
    if (relay->state != RELAY_BEGIN) {
        take_rest(relay, c);
        return;
    }
    relay->begin[relay->undecided++] = c;
    if (!is_own(relay->begin, relay->undecided, true))
        decide(relay);
}

void relay_take(struct relay *relay, const char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        take(relay, data[i]);
    flush(relay);
}

void relay_end(struct relay *relay)
{
    if (relay->undecided > 0)
        decide(relay);
    put_dashes(relay);
    while (relay->length > 0 && relay->words[relay->length - 1] == ' ')
        relay->words[--relay->length] = '\0';
    flush(relay);
}
