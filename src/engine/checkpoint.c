/* A file is a head in a page of its own, and the content; all numbers are little-endian. */
#include "engine/checkpoint.h"

#include "base/clock.h"
#include "base/ending.h"
#include "base/mem.h"
#include "base/standard.h"
#include "base/text.h"
#include "files/space.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { VERSION = 1, FILES = 2, CORE = FILES, NAMES, NONE = -1 };

/* Checkpoints of a run and of those that it goes on from. */
static const uint64_t most = UINT64_C(1000000000000000);

/* Of every version: that is in the same place, and the hash of all before it is the last of so many
 * bytes. */
struct head {
    char magic[8];
    uint32_t version;
    char dtype[4];   /* its name */
    uint64_t number; /* of the checkpoint: 1 is the first */
    uint64_t n, m, edges, potentials;
    int32_t scale_binary, scale_power;
    uint64_t done; /* vertices that have been eliminated, or rows */
    uint64_t kind; /* enum checkpoint_kind; what follows is 0 in that of a matrix: */
    uint64_t bytes, content, rows; /* of the content, its hash, and that of what becomes of rows */
    bool summed;
    char spare[7];
    uint64_t bound;
    uint64_t hash;
};

_Static_assert(sizeof(struct head) == 128 && offsetof(struct head, hash) == 120,
               "a head without gaps");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers go out as they lie in memory");

static const char *const names[NAMES] = {"checkpoint.1", "checkpoint.2", "checkpoint.core"};
static const char magic[sizeof((struct head *)0)->magic] = {'a', 'p', 's', 'p', 'c', 'k', 'p', 't'};

/* How often ranks ask one another. */
static const double interval = 0.1;

struct checkpoint {
    struct comm *comm;
    const struct checkpoint_policy *policy;
    char *path[NAMES];
    int folder; /* locked, on rank 0; else -1 */
    bool made;  /* by this run */
    struct head head[NAMES];
    bool whole[NAMES]; /* as far as its head tells */
    int found;         /* file to go on from; NONE: from the start */
    struct checkpoint_subject subject;
    size_t saved;     /* vertices eliminated in the youngest file that is whole, */
    int last;         /* which is this; NONE */
    uint64_t number;  /* of it, or of one that was not */
    bool asked;       /* on all ranks: a signal has */
    bool refused;     /* on this rank: it was told that there is nothing to save */
    double written;   /* when the last one was, or the run began */
    double exchanged; /* when ranks last asked one another, */
    size_t at, step;  /* before that step; and before which they will again */
    struct checkpoint_figures figures;
};

static uint64_t head_hash(const struct head *head)
{
    return XXH3_64bits(head, offsetof(struct head, hash));
}

uint64_t checkpoint_mix(uint64_t hash, const void *data, size_t bytes)
{
    return XXH3_64bits_withSeed(data, bytes, hash);
}

uint64_t checkpoint_hash(const struct potential *potential)
{
    return potential->h ? XXH3_64bits(potential->h, potential->n * sizeof *potential->h) : 0;
}

size_t checkpoint_bytes(size_t n, enum dtype dtype)
{
    size_t bytes;
    mem_add(&bytes, mem_bytes(n, dtype_info[dtype].bytes), sizeof(uint64_t));
    mem_mul(&bytes, n, bytes);
    mem_add(&bytes, bytes, CHECKPOINT_HEAD);
    return bytes;
}

static size_t file_bytes(const struct head *head)
{
    size_t bytes;
    if (head->kind == CHECKPOINT_MATRIX)
        return checkpoint_bytes(head->n, (enum dtype)dtype_find(head->dtype));
    mem_add(&bytes, head->bytes, CHECKPOINT_HEAD);
    return bytes;
}

/* NULL: there is none. */
static const struct head *head_found(const struct checkpoint *checkpoint)
{
    return checkpoint && checkpoint->found != NONE ? &checkpoint->head[checkpoint->found] : NULL;
}

enum checkpoint_kind checkpoint_kind(const struct checkpoint *checkpoint)
{
    const struct head *head = head_found(checkpoint);
    return head ? (enum checkpoint_kind)head->kind : CHECKPOINT_NONE;
}

const char *checkpoint_type(const struct checkpoint *checkpoint)
{
    const struct head *head = head_found(checkpoint);
    return head ? head->dtype : NULL;
}

const bool *checkpoint_summed(const struct checkpoint *checkpoint)
{
    const struct head *head = head_found(checkpoint);
    return head && head->kind == CHECKPOINT_ROWS ? &head->summed : NULL;
}

int64_t checkpoint_bound(const struct checkpoint *checkpoint)
{
    const struct head *head = head_found(checkpoint);
    return head && head->bound < INT64_MAX ? (int64_t)head->bound : 0;
}

size_t checkpoint_eliminated(const struct checkpoint *checkpoint)
{
    const struct head *head = head_found(checkpoint);
    return head && head->kind == CHECKPOINT_MATRIX ? head->done : 0;
}

const struct checkpoint_subject *checkpoint_subject(const struct checkpoint *checkpoint)
{
    return &checkpoint->subject;
}

bool checkpoint_is_there(const struct checkpoint *checkpoint)
{
    return checkpoint->last != NONE;
}

struct checkpoint_figures checkpoint_figures(const struct checkpoint *checkpoint)
{
    return checkpoint ? checkpoint->figures : (struct checkpoint_figures){0};
}

/* Rank 0 makes it where it is not there, and has it alone. */
static int take_folder(struct checkpoint *checkpoint, struct apsp_error *error)
{
    const char *path = checkpoint->policy->folder;
    int cause = EEXIST;
    if (!checkpoint->policy->resume)
        cause = mkdir(path, 0777) ? errno : 0;
    checkpoint->made = cause == 0;
    checkpoint->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (checkpoint->folder < 0)
        return error_set(error, APSP_IO, "%s: no folder for checkpoints: %s", path,
                         strerror(cause && cause != EEXIST ? cause : errno));
    if (flock(checkpoint->folder, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return error_set(error, APSP_IO, "%s: another run has its checkpoints there", path);
    return APSP_OK;
}

/* Why the file is not whole, as far as its head tells; NULL: it is. */
static const char *judge(const struct head *head, int which, size_t bytes)
{
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        return "is no checkpoint";
    if (head->hash != head_hash(head))
        return "its head is damaged";
    if (head->number > most)
        return "its head makes no sense";
    if (head->version != VERSION)
        return which == CORE ? "is of another version" : NULL;
    int dtype = head->dtype[sizeof head->dtype - 1] ? NONE : dtype_find(head->dtype);
    if (dtype == NONE || dtype >= DTYPE_COUNT || head->n > INT32_MAX || head->done > head->n ||
        (which == CORE ? head->kind != CHECKPOINT_CORE : head->kind > CHECKPOINT_ROWS))
        return "its head makes no sense";
    return bytes == file_bytes(head) ? NULL : "is not as long as it should be";
}

/* Rank 0. Whether there is such a file at all. */
static bool look(struct checkpoint *checkpoint, int i)
{
    struct file file;
    struct apsp_error own = {0};
    const char *why = "is no checkpoint";
    if (access(checkpoint->path[i], F_OK) != 0 && errno == ENOENT)
        return false;
    if (file_open(&file, checkpoint->path[i], "the checkpoint", &own) == APSP_OK &&
        file.bytes >= sizeof *checkpoint->head &&
        file_read(&file, 0, &checkpoint->head[i], sizeof *checkpoint->head, &own) == APSP_OK)
        why = judge(&checkpoint->head[i], i, file.bytes);
    file_close(&file);
    checkpoint->whole[i] = !why;
    if (why && checkpoint->policy->resume)
        standard_note(checkpoint->path[i], own.code ? own.text : why);
    return true;
}

/* What somebody else has put there is not. */
static bool is_ours(const char *path)
{
    struct file file;
    struct apsp_error ignored = {0};
    char begin[sizeof magic];
    bool same = file_open(&file, path, "the checkpoint", &ignored) == APSP_OK &&
                file_read(&file, 0, begin, sizeof begin, &ignored) == APSP_OK &&
                memcmp(begin, magic, sizeof begin) == 0;
    file_close(&file);
    return same;
}

/* That neither the input nor anything else goes where the files are to be. */
static int check_names(const struct checkpoint *checkpoint, struct apsp_error *error)
{
    for (int i = 0; i < NAMES; i++) {
        const char *path = checkpoint->path[i];
        if (staged_check(path, checkpoint->policy->inputs.path, true, error) != APSP_OK)
            return error->code;
        if (!checkpoint->policy->resume && access(path, F_OK) == 0 && !is_ours(path))
            return error_set(error, APSP_USAGE, "%s: is no checkpoint, and one would replace it",
                             path);
    }
    return APSP_OK;
}

/* The youngest that is whole; NONE. */
static int youngest(const struct checkpoint *checkpoint)
{
    int found = NONE;
    for (int i = 0; i < FILES; i++)
        if (checkpoint->whole[i] &&
            (found == NONE || checkpoint->head[i].number > checkpoint->head[found].number))
            found = i;
    return found;
}

static int check_head(const struct checkpoint *checkpoint, const struct head *head, size_t n,
                      struct apsp_error *error)
{
    const char *path = checkpoint->path[checkpoint->found], *asked = checkpoint->policy->dtype;
    if (head->version != VERSION)
        return error_set(error, APSP_INPUT,
                         "%s: is a checkpoint of version %" PRIu32 ", and %d can be read", path,
                         head->version, VERSION);
    if (head->n != n)
        return error_set(error, APSP_INPUT,
                         "%s: is of another graph: it has %" PRIu64 " vertices, and GRAPH has %zu",
                         path, head->n, n);
    if (asked && strcmp(asked, "auto") != 0 && strcmp(asked, head->dtype) != 0)
        return error_set(error, APSP_USAGE, "--dtype %s: %s has distances of type %s", asked, path,
                         head->dtype);
    return APSP_OK;
}

static void find_state(struct checkpoint *checkpoint, size_t n, struct apsp_error *error)
{
    const char *folder = checkpoint->policy->folder;
    int there = 0;
    if (check_names(checkpoint, error) != APSP_OK)
        return;
    for (int i = 0; i < FILES; i++)
        there += look(checkpoint, i);
    checkpoint->found = youngest(checkpoint);
    if (checkpoint->policy->resume)
        look(checkpoint, CORE);
    if (!checkpoint->policy->resume) {
        if (there && !checkpoint->policy->force)
            error_set(error, APSP_USAGE,
                      "%s: has a checkpoint; --resume goes on from it, --force replaces it",
                      folder);
        if (checkpoint->found != NONE) /* those of this run are younger */
            checkpoint->number = checkpoint->head[checkpoint->found].number;
        checkpoint->found = NONE;
    } else if (checkpoint->found == NONE) {
        error_set(error, APSP_IO, "%s: %s", folder,
                  there ? "no checkpoint in it is whole" : "there is no checkpoint in it");
    } else {
        check_head(checkpoint, &checkpoint->head[checkpoint->found], n, error);
    }
}

static int fill(struct checkpoint *checkpoint, struct comm *comm,
                const struct checkpoint_policy *policy, struct apsp_error *error)
{
    *checkpoint = (struct checkpoint){.comm = comm,
                                      .policy = policy,
                                      .folder = -1,
                                      .found = NONE,
                                      .last = NONE,
                                      .written = clock_seconds(),
                                      .figures = {.folder = policy->folder}};
    for (int i = 0; i < NAMES; i++)
        if (asprintf(&checkpoint->path[i], "%s/%s", policy->folder, names[i]) < 0) {
            checkpoint->path[i] = NULL;
            return error_set(error, APSP_MEMORY, "no memory for the names of checkpoints");
        }
    return APSP_OK;
}

static void note_resumed(struct checkpoint *checkpoint)
{
    const struct head *head = head_found(checkpoint);
    checkpoint->figures.resumed = head ? head->done : 0;
    checkpoint->figures.rows = head && head->kind == CHECKPOINT_ROWS;
}

int checkpoint_open(struct checkpoint **out, struct comm *comm,
                    const struct checkpoint_policy *policy, size_t n, struct apsp_error *error)
{
    struct checkpoint *checkpoint;
    *out = NULL;
    if (!policy->folder)
        return APSP_OK;
    checkpoint = *out = malloc(sizeof *checkpoint);
    if (!checkpoint)
        error_set(error, APSP_MEMORY, "no memory for checkpoints");
    else if (fill(checkpoint, comm, policy, error) == APSP_OK && comm->rank == 0 &&
             take_folder(checkpoint, error) == APSP_OK)
        find_state(checkpoint, n, error);
    if (comm_agree(comm, error))
        return error->code;
    comm_broadcast(comm, checkpoint->head, sizeof checkpoint->head, 0);
    comm_broadcast(comm, checkpoint->whole, sizeof checkpoint->whole, 0);
    comm_broadcast(comm, &checkpoint->found, sizeof checkpoint->found, 0);
    note_resumed(checkpoint);
    return APSP_OK;
}

/* And what a run that was killed has left beside it: making the file anew removes that. */
static void remove_file(const char *path)
{
    struct staged staged;
    struct apsp_error ignored = {0};
    if (is_ours(path))
        unlink(path);
    staged_create(&staged, path, true, &ignored);
    staged_free(&staged);
}

void checkpoint_free(struct checkpoint *checkpoint, bool done)
{
    if (!checkpoint)
        return;
    for (int i = 0; i < NAMES; i++) {
        if (done && checkpoint->comm->rank == 0 && checkpoint->path[i])
            remove_file(checkpoint->path[i]);
        free(checkpoint->path[i]);
    }
    if (checkpoint->made || (done && checkpoint->folder >= 0))
        rmdir(checkpoint->policy->folder); /* fails where anything is in it */
    if (checkpoint->folder >= 0)
        close(checkpoint->folder);
    free(checkpoint);
}

int checkpoint_match(struct checkpoint *checkpoint, const struct checkpoint_subject *subject,
                     struct apsp_error *error)
{
    if (!checkpoint)
        return APSP_OK;
    checkpoint->subject = *subject;
    for (int i = 0; i < NAMES && checkpoint->found != NONE; i++) {
        const struct head *head = &checkpoint->head[i];
        const char *other =
            head->n != subject->n || head->m != subject->m || head->edges != subject->edges
                ? "graph"
            : strcmp(head->dtype, dtype_info[subject->dtype].name) != 0 ? "type"
            : head->scale_binary != subject->scale.binary ||
                    head->scale_power != subject->scale.power
                ? "scale"
            : head->potentials != subject->potentials ? "choice of potentials"
                                                      : NULL;
        const bool same = head->kind != CHECKPOINT_ROWS || head->rows == subject->rows;
        if (other && i == checkpoint->found)
            error_set(error, APSP_INPUT, "%s: is of another %s than this run", checkpoint->path[i],
                      other);
        else if (!same && i == checkpoint->found)
            error_set(error, APSP_USAGE, "%s: is of a run with other sources, targets or results",
                      checkpoint->path[i]);
        checkpoint->whole[i] &= !other && same; /* an older one may be of another run */
    }
    return comm_agree(checkpoint->comm, error);
}

static int read_file(struct checkpoint *checkpoint, int which,
                     const struct checkpoint_reader *reader, struct apsp_error *error)
{
    const char *path = checkpoint->path[which];
    struct file file = {.fd = -1};
    struct head head;
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
    int older = youngest(checkpoint);
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
    note_resumed(checkpoint);
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

static struct head head_of(const struct checkpoint *checkpoint,
                           const struct checkpoint_content *content, uint64_t hash)
{
    const struct checkpoint_subject *subject = &checkpoint->subject;
    struct head head = {.version = VERSION,
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
    memcpy(head.magic, magic, sizeof magic);
    strcpy(head.dtype, dtype_info[subject->dtype].name);
    head.hash = head_hash(&head);
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
        const struct head head = head_of(checkpoint, content, hash);
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
                         "stopped by a signal, %zu of %zu %s done; --resume %s goes on from there",
                         content->done, content->all,
                         content->kind == CHECKPOINT_ROWS ? "rows" : "vertices", folder);
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
    space_patience(0);                   /* the work does not wait for space */
    if (write_file(checkpoint, which, content, &own) == APSP_OK) {
        const struct head head = head_of(checkpoint, content, 0);
        checkpoint->last = which;
        checkpoint->saved = content->done;
        checkpoint->figures.bytes += (double)file_bytes(&head);
        checkpoint->figures.taken++;
    }
    space_patience(checkpoint->policy->write_retry);
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
        standard_note("the core is solved anew", own.text);
    return checkpoint->whole[CORE] && !own.code;
}

void checkpoint_write_core(struct checkpoint *checkpoint, const struct checkpoint_content *content)
{
    struct apsp_error own = {0};
    space_patience(0);
    if (write_file(checkpoint, CORE, content, &own) && checkpoint->comm->rank == 0)
        standard_note("the core could not be written", own.text);
    space_patience(checkpoint->policy->write_retry);
    if (!own.code) {
        const struct head head = head_of(checkpoint, content, 0);
        checkpoint->figures.bytes += (double)file_bytes(&head);
    }
    checkpoint->figures.seconds += comm_max(checkpoint->comm, clock_seconds() - content->begun);
}
