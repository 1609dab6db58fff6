/* The folder of checkpoints: what is in it, and whether a run may go on from it. */
#include "engine/checkpoint_folder.h"

#include "base/clock.h"
#include "base/ending.h"
#include "base/mem.h"
#include "base/setting.h"
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

/* Checkpoints of a run and of those that it goes on from. */
static const uint64_t most = UINT64_C(1000000000000000);

static const char *const names[NAMES] = {"checkpoint.1", "checkpoint.2", "checkpoint.core"};

uint64_t checkpoint_head_hash(const struct checkpoint_head *head)
{
    return XXH3_64bits(head, offsetof(struct checkpoint_head, hash));
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

size_t checkpoint_file_bytes(const struct checkpoint_head *head)
{
    size_t bytes;
    if (head->kind == CHECKPOINT_MATRIX)
        return checkpoint_bytes(head->n, (enum dtype)dtype_find(head->dtype));
    mem_add(&bytes, head->bytes, CHECKPOINT_HEAD);
    return bytes;
}

/* NULL: there is none. */
static const struct checkpoint_head *head_found(const struct checkpoint *checkpoint)
{
    return checkpoint && checkpoint->found != NONE ? &checkpoint->head[checkpoint->found] : NULL;
}

enum checkpoint_kind checkpoint_kind(const struct checkpoint *checkpoint)
{
    const struct checkpoint_head *head = head_found(checkpoint);
    return head ? (enum checkpoint_kind)head->kind : CHECKPOINT_NONE;
}

const char *checkpoint_type(const struct checkpoint *checkpoint)
{
    const struct checkpoint_head *head = head_found(checkpoint);
    return head ? head->dtype : NULL;
}

const bool *checkpoint_summed(const struct checkpoint *checkpoint)
{
    const struct checkpoint_head *head = head_found(checkpoint);
    return head && head->kind == CHECKPOINT_ROWS ? &head->summed : NULL;
}

int64_t checkpoint_bound(const struct checkpoint *checkpoint)
{
    const struct checkpoint_head *head = head_found(checkpoint);
    return head && head->bound < INT64_MAX ? (int64_t)head->bound : 0;
}

size_t checkpoint_eliminated(const struct checkpoint *checkpoint)
{
    const struct checkpoint_head *head = head_found(checkpoint);
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
    if (faccessat(checkpoint->folder, ".", W_OK | X_OK, AT_EACCESS) != 0)
        return error_set(error, APSP_IO, "%s: no checkpoint can be written there: %s", path,
                         strerror(errno));
    if (flock(checkpoint->folder, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return error_set(error, APSP_IO, "%s: another run has its checkpoints there", path);
    return APSP_OK;
}

/* Why the file is not whole, as far as its head tells; NULL: it is. */
static const char *judge(const struct checkpoint_head *head, int which, size_t bytes)
{
    if (memcmp(head->magic, CHECKPOINT_MAGIC, sizeof head->magic) != 0)
        return "is not a checkpoint";
    if (head->hash != checkpoint_head_hash(head))
        return "its head is damaged";
    if (head->number > most)
        return "its head is inconsistent";
    if (head->version != VERSION)
        return which == CORE ? "is of another version" : NULL;
    int dtype = head->dtype[sizeof head->dtype - 1] ? NONE : dtype_find(head->dtype);
    if (dtype == NONE || dtype >= DTYPE_COUNT || head->n > INT32_MAX || head->done > head->n ||
        (which == CORE ? head->kind != CHECKPOINT_CORE : head->kind > CHECKPOINT_ROWS))
        return "its head is inconsistent";
    return bytes == checkpoint_file_bytes(head) ? NULL : "has the wrong length";
}

/* Rank 0. Whether there is such a file at all. */
static bool look(struct checkpoint *checkpoint, int i)
{
    struct file file;
    struct apsp_error own = {0};
    const char *why = "is not a checkpoint";
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

/* A file of another program is not. */
static bool is_ours(const char *path)
{
    struct file file;
    struct apsp_error ignored = {0};
    char begin[sizeof((struct checkpoint_head *)0)->magic];
    bool same = file_open(&file, path, "the checkpoint", &ignored) == APSP_OK &&
                file_read(&file, 0, begin, sizeof begin, &ignored) == APSP_OK &&
                memcmp(begin, CHECKPOINT_MAGIC, sizeof begin) == 0;
    file_close(&file);
    return same;
}

/* That neither the input nor anything else goes where the files are to be. */
static int check_names(struct checkpoint *checkpoint, struct apsp_error *error)
{
    for (int i = 0; i < NAMES; i++) {
        const char *path = checkpoint->path[i];
        if (staged_check(path, checkpoint->policy->inputs.path, true, error) != APSP_OK)
            return error->code;
        const bool ours = is_ours(path);
        checkpoint->held |= ours;
        if (!checkpoint->policy->resume && access(path, F_OK) == 0 && !ours)
            return error_set(error, APSP_USAGE,
                             "%s: is not a checkpoint, and a checkpoint would replace it", path);
    }
    return APSP_OK;
}

int checkpoint_youngest(const struct checkpoint *checkpoint)
{
    int found = NONE;
    for (int i = 0; i < FILES; i++)
        if (checkpoint->whole[i] &&
            (found == NONE || checkpoint->head[i].number > checkpoint->head[found].number))
            found = i;
    return found;
}

static int check_head(const struct checkpoint *checkpoint, const struct checkpoint_head *head,
                      size_t n, struct apsp_error *error)
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
        return error_set(error, APSP_USAGE, "%s %s: %s has distances of type %s", SETTING(TYPE),
                         asked, path, head->dtype);
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
    checkpoint->found = checkpoint_youngest(checkpoint);
    if (checkpoint->policy->resume)
        look(checkpoint, CORE);
    if (!checkpoint->policy->resume) {
        if (there && !checkpoint->policy->force)
            error_set(error, APSP_USAGE, "%s: has a checkpoint; %s goes on from it, %s replaces it",
                      folder, SETTING(RESUME), SETTING(FORCE));
        if (checkpoint->found != NONE) /* those of this run are younger */
            checkpoint->number = checkpoint->head[checkpoint->found].number;
        checkpoint->found = NONE;
    } else if (checkpoint->found == NONE) {
        error_set(error, APSP_IO, "%s: %s", folder,
                  there ? "every checkpoint in it is damaged" : "it holds no checkpoint");
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

void checkpoint_note_resumed(struct checkpoint *checkpoint)
{
    const struct checkpoint_head *head = head_found(checkpoint);
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
    checkpoint_note_resumed(checkpoint);
    return APSP_OK;
}

/* And what a run that was killed has left beside it: making the file anew removes that. */
static void remove_file(const char *path)
{
    struct staged staged = {0};
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
    if (checkpoint->made || (done && checkpoint->held && checkpoint->folder >= 0))
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
        const struct checkpoint_head *head = &checkpoint->head[i];
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
