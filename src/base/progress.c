#include "base/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 79, BAR = 20 }; /* one column less than a terminal has, so that no line wraps */

static const double interval = 0.1;

void progress_start(struct progress *progress)
{
    progress->started = progress->drawn = clock_seconds();
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

static void draw(struct progress *progress, size_t done_steps)
{
    char line[4 * TEXT_SHORT], bar[BAR + 1], done[TEXT_NUMBER], all[TEXT_NUMBER], rate[TEXT_SHORT],
        left[TEXT_NUMBER];
    if (!progress->shown || done_steps == 0 || done_steps > progress->steps)
        return;
    double now = clock_seconds(), share = (double)done_steps / (double)progress->steps,
           past = now - progress->started;
    if (now - progress->drawn < interval)
        return;
    progress->drawn = now;
    memset(bar, ' ', BAR);
    memset(bar, '=', (size_t)(share * BAR));
    bar[BAR] = '\0';
    format_time(left, past / share - past);
    snprintf(line, sizeof line, "[%s] %3.0f %% %s %s/%s, %s, %s left", bar, 100 * share, progress->step,
             text_count(done, done_steps), text_count(all, progress->steps),
             text_amount(rate, progress->work * share / past, progress->unit), left);
    fprintf(stderr, "\r%-*.*s", WIDTH, WIDTH, line);
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
    if (progress->shown && progress->drawn > progress->started)
        fprintf(stderr, "\r%*s\r", WIDTH, "");
    progress->shown = false;
}
