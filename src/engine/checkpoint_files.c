/* Files of checkpoints that are read and written, and the times at which they are. */
#include "engine/checkpoint_folder.h"

#include "base/clock.h"
#include "base/ending.h"
#include "base/setting.h"
#include "base/standard.h"
#include "files/space.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How often ranks ask one another. */
static const double interval = 0.1;

static int read_file(struct checkpoint *checkpoint, int which,
                     const struct checkpoint_reader *reader, struct apsp_error *error)
{
    const char *path = checkpoint->path[which];
    struct file file = {.fd = -1};
    struct checkpoint_head head;
    if (file_open(&file, path, "the checkpoint", error) == APSP_OK &&
        file_read(&file, 0, &head, sizeof head, error) == APSP_OK) {
        if (memcmp(&head, &checkpoint->head[which], sizeof head) != 0)
            error_set(error, APSP_IO, "%s: host %s has another one", path, checkpoint->comm->host);
        else
            reader->read(reader->self, &file, head.bytes, head.content, error);
    }
    file_close(&file);
    return comm_agree(checkpoint->comm, error);
}

bool checkpoint_fall_back(struct checkpoint *checkpoint, struct apsp_error *error)
{
    checkpoint->whole[checkpoint->found] = false;
    int older = checkpoint_youngest(checkpoint);
    if (older == NONE)
        return false;
    if (checkpoint->comm->rank == 0) {
        standard_note("damage is found", error->text);
        standard_note(checkpoint->path[older], "the run goes on from this older checkpoint");
    }
    checkpoint->found = older;
    *error = (struct apsp_error){0};
    return true;
}

int checkpoint_read(struct checkpoint *checkpoint, const struct checkpoint_reader *reader,
                    struct apsp_error *error)
{
    while (read_file(checkpoint, checkpoint->found, reader, error) == APSP_IO)
        if (!checkpoint_fall_back(checkpoint, error))
            return error->code;
    checkpoint->last = checkpoint->found;
    checkpoint->saved = checkpoint_eliminated(checkpoint);
    checkpoint_note_resumed(checkpoint);
    checkpoint->number = checkpoint->head[checkpoint->found].number;
    return error->code;
}

static bool is_due(const struct checkpoint *checkpoint, double now)
{
    const double every = checkpoint->policy->every;
    return every > 0 && now - checkpoint->written >= every;
}

bool checkpoint_wanted(const struct checkpoint *checkpoint)
{
    return ending_asked() || is_due(checkpoint, clock_seconds());
}

bool checkpoint_due(struct checkpoint *checkpoint, size_t step)
{
    enum { ASKED, DUE, MICROSECONDS, COUNT };
    const double now = clock_seconds();
    if (checkpoint->step == 0) /* the first: nothing is known of how long one takes */
        checkpoint->exchanged = now;
    if (step < checkpoint->step)
        return false;
    size_t of[COUNT] = {ending_asked(), is_due(checkpoint, now),
                        (size_t)(1e6 * (now - checkpoint->exchanged))};
    comm_most_all(checkpoint->comm, of, COUNT);
    size_t steps = step - checkpoint->at, each = of[MICROSECONDS] / (steps > 0 ? steps : 1) + 1,
           more = (size_t)(1e6 * interval) / each;
    more =
        more < 2 * steps ? more : 2 * steps; /* a GPU's first steps have only begun, in no time */
    checkpoint->exchanged = now;
    checkpoint->at = step;
    checkpoint->step = step + (more > 0 && checkpoint->step > 0 ? more : 1);
    checkpoint->asked = of[ASKED] > 0;
    return of[ASKED] || of[DUE];
}

bool checkpoint_asked(struct checkpoint *checkpoint)
{
    if (!checkpoint || !ending_asked())
        return false;
    if (checkpoint->saved < checkpoint->subject.n)
        return true;
    if (!checkpoint->refused && checkpoint->comm->rank == 0)
        standard_note(checkpoint->policy->folder,
                      "holds all that can be saved: the run goes on in spite of the signal");
    checkpoint->refused = true;
    return false;
}

static struct checkpoint_head head_of(const struct checkpoint *checkpoint,
                                      const struct checkpoint_content *content, uint64_t hash)
{
    const struct checkpoint_subject *subject = &checkpoint->subject;
    struct checkpoint_head head = {
        .version = VERSION,
        .number = checkpoint->number,
        .n = subject->n,
        .m = subject->m,
        .edges = subject->edges,
        .potentials = subject->potentials,
        .scale_binary = subject->scale.binary,
        .scale_power = subject->scale.power,
        .done = content->done,
        .kind = content->kind,
        .bytes = content->bytes,
        .content = hash,
        .rows = content->kind == CHECKPOINT_ROWS ? subject->rows : 0,
        .summed = content->kind == CHECKPOINT_ROWS && subject->summed,
        .bound = content->kind == CHECKPOINT_ROWS ? (uint64_t)subject->bound : 0};
    memcpy(head.magic, CHECKPOINT_MAGIC, sizeof head.magic);
    strcpy(head.dtype, dtype_info[subject->dtype].name);
    head.hash = checkpoint_head_hash(&head);
    return head;
}

/* Each rank its part, rank 0 the head too; then it gets its name. */
static int write_file(struct checkpoint *checkpoint, int which,
                      const struct checkpoint_content *content, struct apsp_error *error)
{
    struct comm *comm = checkpoint->comm;
    const struct output_plan plan = {
        .path = checkpoint->path[which], .least = CHECKPOINT_HEAD, .force = true};
    struct output *output;
    uint64_t hash = 0;
    if (output_open(&output, comm, &plan, error))
        return error->code;
    output_check(output, true, error); /* on rank 0 this may set the file's length */
    if (comm_agree(comm, error) == APSP_OK &&
        content->write(content->self, output, &hash, error) == APSP_OK && comm->rank == 0) {
        const struct checkpoint_head head = head_of(checkpoint, content, hash);
        output_write(output, 0, &head, sizeof head, error);
    }
    if (!error->code)
        output_finish(output, error);
    if (comm_agree(comm, error) == APSP_OK && comm->rank == 0)
        staged_publish(output_file(output), STAGED_ALONE, error);
    comm_agree(comm, error);
    output_free(output);
    return error->code;
}

/* What became of it. The one before is whole, if there is one. */
static int conclude(struct checkpoint *checkpoint, const struct checkpoint_content *content,
                    const struct apsp_error *own, struct apsp_error *error)
{
    const char *folder = checkpoint->policy->folder;
    if (own->code && checkpoint->asked)
        return error_set(error, own->code, "no checkpoint could be written: %s", own->text);
    if (own->code && checkpoint->comm->rank == 0)
        standard_note("no checkpoint could be written", own->text);
    if (!own->code && checkpoint->asked)
        return error_set(error, APSP_STOPPED,
                         "stopped by a signal, %zu of %zu %s done; %s %s goes on from there",
                         content->done, content->all,
                         content->kind == CHECKPOINT_ROWS ? "rows" : "vertices", SETTING(RESUME),
                         folder);
    return APSP_OK;
}

int checkpoint_write(struct checkpoint *checkpoint, const struct checkpoint_content *content,
                     struct apsp_error *error)
{
    struct apsp_error own = {0};
    const int which = checkpoint->last == 0;
    checkpoint->asked |= comm_most(checkpoint->comm, ending_asked()) > 0;
    checkpoint->number++;
    if (checkpoint->comm->rank == 0)
        unlink(checkpoint->path[which]); /* there is room for two */
    space_wait_limit(0);                 /* the work does not wait for space */
    if (write_file(checkpoint, which, content, &own) == APSP_OK) {
        const struct checkpoint_head head = head_of(checkpoint, content, 0);
        checkpoint->last = which;
        checkpoint->saved = content->done;
        checkpoint->figures.bytes += (double)checkpoint_file_bytes(&head);
        checkpoint->figures.taken++;
    }
    space_wait_limit(checkpoint->policy->write_retry);
    checkpoint->written = checkpoint->exchanged = clock_seconds();
    checkpoint->figures.seconds += comm_max(checkpoint->comm, checkpoint->written - content->begun);
    return conclude(checkpoint, content, &own, error);
}

size_t checkpoint_core_kappa(const struct checkpoint *checkpoint)
{
    return checkpoint && checkpoint->whole[CORE] ? checkpoint->head[CORE].done : SIZE_MAX;
}

bool checkpoint_read_core(struct checkpoint *checkpoint, const struct checkpoint_reader *reader)
{
    struct apsp_error own = {0};
    if (checkpoint->whole[CORE] && read_file(checkpoint, CORE, reader, &own) &&
        checkpoint->comm->rank == 0)
        standard_note("the dense core is solved anew", own.text);
    return checkpoint->whole[CORE] && !own.code;
}

void checkpoint_write_core(struct checkpoint *checkpoint, const struct checkpoint_content *content)
{
    struct apsp_error own = {0};
    space_wait_limit(0);
    if (write_file(checkpoint, CORE, content, &own) && checkpoint->comm->rank == 0)
        standard_note("the dense core could not be written", own.text);
    space_wait_limit(checkpoint->policy->write_retry);
    if (!own.code) {
        const struct checkpoint_head head = head_of(checkpoint, content, 0);
        checkpoint->figures.bytes += (double)checkpoint_file_bytes(&head);
    }
    checkpoint->figures.seconds += comm_max(checkpoint->comm, clock_seconds() - content->begun);
}
