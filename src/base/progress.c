#include "base/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR_LEAST = 10, BAR_MOST = 40, BRACKETS = 3, WIDTH_MOST = 512, WIDTH_USUAL = 80 };

static const double interval = 0.1, first_line = 1, between_lines = 60;

/* The width of the terminal that stderr leads to; 0: there is none. It may change. */
static int find_width(void)
{
    struct winsize size = {0};
    if (!isatty(STDERR_FILENO))
        return 0;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_USUAL;
    return size.ws_col < WIDTH_MOST ? size.ws_col : WIDTH_MOST;
}

void progress_start(struct progress *progress)
{
    progress->started = progress->drawn = clock_seconds();
    progress->width = progress->shown ? find_width() : 0;
}

/* "1:02:03", "2:03" */
static void format_time(char text[TEXT_NUMBER], double seconds)
{
    unsigned long whole = seconds < 1e9 ? (unsigned long)seconds : 1000000000;
    if (whole >= 3600)
        snprintf(text, TEXT_NUMBER, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, TEXT_NUMBER, "%lu:%02lu", whole / 60, whole % 60);
}

/* As much of it as `room` columns hold: the time left goes before the rate, and this before the
 * steps. */
static void format_state(const struct progress *progress, size_t done_steps, double past, int room,
                         char line[TEXT_LINE])
{
    char done[TEXT_NUMBER], all[TEXT_NUMBER], rate[TEXT_SHORT], left[TEXT_NUMBER];
    const double share = (double)done_steps / (double)progress->steps;
    format_time(left, past / share - past);
    text_amount(rate, progress->work * share / past, progress->unit);
    int length =
        snprintf(line, TEXT_LINE, "%3.0f %% %s %s/%s, %s, %s left", 100 * share, progress->step,
                 text_count(done, done_steps), text_count(all, progress->steps), rate, left);
    if (length > room)
        length = snprintf(line, TEXT_LINE, "%3.0f %%, %s, %s left", 100 * share, rate, left);
    if (length > room)
        length = snprintf(line, TEXT_LINE, "%3.0f %%, %s left", 100 * share, left);
    if (length > room) {
        memmove(line, line + strspn(line, " "), (size_t)room);
        line[room] = '\0';
    }
}

/* In one column less than the terminal has, so that no line wraps; what others print begins a line.
 */
static void draw_bar(const struct progress *progress, size_t done, double past)
{
    char line[TEXT_LINE], bar[BAR_MOST + BRACKETS + 1] = "";
    const int room = progress->width - 1;
    format_state(progress, done, past, room, line);
    int width = room - (int)strlen(line) - BRACKETS;
    width = width < BAR_MOST ? width : BAR_MOST;
    if (width >= BAR_LEAST) {
        memset(bar + 1, ' ', (size_t)width);
        memset(bar + 1, '=', done * (size_t)width / progress->steps);
        bar[0] = '[';
        strcpy(bar + 1 + width, "] ");
    }
    fprintf(stderr, "\r%s%-*s\r", bar, room - (int)strlen(bar), line);
}

static void draw(struct progress *progress, size_t done)
{
    char line[TEXT_LINE];
    if (!progress->shown || done == 0 || done > progress->steps)
        return;
    const double now = clock_seconds(), past = now - progress->started,
                 before = progress->drawn - progress->started;
    /* lines that stay come the more slowly the longer it takes */
    const double wait = before < first_line      ? first_line
                        : before < between_lines ? before
                                                 : between_lines;
    if (now - progress->drawn < (progress->width > 0 ? interval : wait))
        return;
    progress->drawn = now;
    if (progress->width > 0) {
        progress->width = find_width();
        draw_bar(progress, done, past);
    } else {
        format_state(progress, done, past, TEXT_LINE, line);
        fprintf(stderr, "progress: %s\n", line + strspn(line, " "));
    }
}

bool progress_step(struct progress *progress, size_t done)
{
    if (progress->tell && !progress->stopped)
        progress->stopped = !progress->tell(progress->self, progress->step, done, progress->steps);
    draw(progress, done);
    return !progress->stopped;
}

void progress_end(struct progress *progress)
{
    if (progress->shown && progress->width > 0 && progress->drawn > progress->started)
        fprintf(stderr, "\r%*s\r", progress->width - 1, "");
    progress->shown = false;
}
