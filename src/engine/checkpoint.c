/*
 * A file is a head in a page of its own, the rows, and a hash of 64 bits of each row (XXH3,
 * https://xxhash.com, with the row's number as the seed); all numbers are little-endian.
 */
#include "engine/checkpoint.h"

#include "base/clock.h"
#include "base/ending.h"
#include "base/mem.h"
#include "base/space.h"
#include "base/standard.h"
#include "base/text.h"
#include "rows/output.h"

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

enum { VERSION = 1, HEAD = 4096, FILES = 2, NONE = -1 };

/* Of every version: that is in the same place, and the hash of all before it is the last of so many bytes. */
struct head {
    char magic[8];
    uint32_t version;
    char dtype[4];   /* its name */
    uint64_t number; /* of the checkpoint: 1 is the first */
    uint64_t n, m, edges, potentials;
    int32_t scale_binary, scale_power;
    uint64_t eliminated;
    char spare[48];
    uint64_t hash;
};

_Static_assert(sizeof(struct head) == 128 && offsetof(struct head, hash) == 120, "a head without gaps");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers go out as they lie in memory");

static const char magic[sizeof((struct head *)0)->magic] = {'a', 'p', 's', 'p', 'c', 'k', 'p', 't'};

/* How often ranks ask one another. */
static const double interval = 0.1;

struct checkpoint {
    struct comm *comm;
    const struct job_options *options;
    char *path[FILES];
    int folder; /* locked, on rank 0; else -1 */
    bool made;  /* by this run */
    struct head head[FILES];
    bool whole[FILES]; /* as far as its head tells */
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

static uint64_t row_hash(const char *row, size_t width, size_t number)
{
    return XXH3_64bits_withSeed(row, width, number);
}

static uint64_t head_hash(const struct head *head)
{
    return XXH3_64bits(head, offsetof(struct head, hash));
}

uint64_t checkpoint_hash(const struct potential *potential)
{
    return potential->h ? XXH3_64bits(potential->h, potential->n * sizeof *potential->h) : 0;
}

static size_t file_bytes(size_t n, size_t width)
{
    size_t bytes;
    mem_mul(&bytes, n, width + sizeof(uint64_t));
    mem_add(&bytes, bytes, HEAD);
    return bytes;
}

size_t checkpoint_bytes(size_t n, enum dtype dtype)
{
    return file_bytes(n, mem_bytes(n, dtype_info[dtype].bytes));
}

size_t checkpoint_need(struct range rows)
{
    return mem_bytes(range_length(rows) + 1, sizeof(uint64_t));
}

const char *checkpoint_type(const struct checkpoint *checkpoint)
{
    return checkpoint && checkpoint->found != NONE ? checkpoint->head[checkpoint->found].dtype : NULL;
}

size_t checkpoint_eliminated(const struct checkpoint *checkpoint)
{
    return checkpoint && checkpoint->found != NONE ? checkpoint->head[checkpoint->found].eliminated : 0;
}

struct checkpoint_figures checkpoint_figures(const struct checkpoint *checkpoint)
{
    return checkpoint ? checkpoint->figures : (struct checkpoint_figures){0};
}

/* Rank 0 makes it where it is not there, and has it alone. */
static int open_folder(struct checkpoint *checkpoint, struct apsp_error *error)
{
    const char *path = checkpoint->options->checkpoint;
    if (!checkpoint->options->resume)
        checkpoint->made = mkdir(path, 0777) == 0;
    checkpoint->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (checkpoint->folder < 0)
        return error_set(error, APSP_IO, "%s: no folder for checkpoints: %s", path, strerror(errno));
    if (flock(checkpoint->folder, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return error_set(error, APSP_IO, "%s: another run has its checkpoints there", path);
    return APSP_OK;
}

/* Why the file is not whole, as far as its head tells; NULL: it is. */
static const char *judge(const struct head *head, size_t bytes)
{
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        return "is no checkpoint";
    if (head->hash != head_hash(head))
        return "its head is damaged";
    if (head->version != VERSION)
        return NULL;
    int dtype = head->dtype[sizeof head->dtype - 1] ? NONE : dtype_find(head->dtype);
    if (dtype == NONE || dtype >= DTYPE_COUNT || head->n > INT32_MAX || head->eliminated > head->n)
        return "its head makes no sense";
    return bytes == checkpoint_bytes(head->n, (enum dtype)dtype) ? NULL : "is not as long as it should be";
}

/* Rank 0. Whether there is such a file at all. */
static bool look(struct checkpoint *checkpoint, int i)
{
    struct file file;
    struct apsp_error own = {0};
    const char *why = "is no checkpoint";
    if (access(checkpoint->path[i], F_OK) != 0)
        return false;
    if (file_open(&file, checkpoint->path[i], "the checkpoint", &own) == APSP_OK &&
        file.bytes >= sizeof *checkpoint->head &&
        file_read(&file, 0, &checkpoint->head[i], sizeof *checkpoint->head, &own) == APSP_OK)
        why = judge(&checkpoint->head[i], file.bytes);
    file_close(&file);
    checkpoint->whole[i] = !why;
    if (why && checkpoint->options->resume)
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
    for (int i = 0; i < FILES; i++) {
        const char *path = checkpoint->path[i];
        if (staged_check(path, options_inputs(checkpoint->options).path, true, error) != APSP_OK)
            return error->code;
        if (!checkpoint->options->resume && access(path, F_OK) == 0 && !is_ours(path))
            return error_set(error, APSP_USAGE, "%s: is no checkpoint, and one would replace it", path);
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
    const char *path = checkpoint->path[checkpoint->found], *asked = checkpoint->options->dtype;
    if (head->version != VERSION)
        return error_set(error, APSP_INPUT, "%s: is a checkpoint of version %" PRIu32 ", and %d can be read",
                         path, head->version, VERSION);
    if (head->n != n)
        return error_set(error, APSP_INPUT,
                         "%s: is of another graph: it has %" PRIu64 " vertices, and GRAPH has %zu", path,
                         head->n, n);
    if (asked && strcmp(asked, "auto") != 0 && strcmp(asked, head->dtype) != 0)
        return error_set(error, APSP_USAGE, "--dtype %s: %s has distances of type %s", asked, path,
                         head->dtype);
    return APSP_OK;
}

static void find_state(struct checkpoint *checkpoint, size_t n, struct apsp_error *error)
{
    const char *folder = checkpoint->options->checkpoint;
    int there = 0;
    if (check_names(checkpoint, error) != APSP_OK)
        return;
    for (int i = 0; i < FILES; i++)
        there += look(checkpoint, i);
    checkpoint->found = youngest(checkpoint);
    if (!checkpoint->options->resume) {
        if (there && !checkpoint->options->force)
            error_set(error, APSP_USAGE,
                      "%s: has a checkpoint; --resume goes on from it, --force replaces it", folder);
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

static int fill(struct checkpoint *checkpoint, struct comm *comm, const struct job_options *options,
                struct apsp_error *error)
{
    *checkpoint = (struct checkpoint){.comm = comm,
                                      .options = options,
                                      .folder = -1,
                                      .found = NONE,
                                      .last = NONE,
                                      .written = clock_seconds(),
                                      .figures = {.folder = options->checkpoint}};
    for (int i = 0; i < FILES; i++)
        if (asprintf(&checkpoint->path[i], "%s/checkpoint.%d", options->checkpoint, i + 1) < 0) {
            checkpoint->path[i] = NULL;
            return error_set(error, APSP_MEMORY, "no memory for the names of checkpoints");
        }
    return APSP_OK;
}

int checkpoint_open(struct checkpoint **out, struct comm *comm, const struct job_options *options, size_t n,
                    struct apsp_error *error)
{
    struct checkpoint *checkpoint;
    *out = NULL;
    if (!options->checkpoint)
        return APSP_OK;
    checkpoint = *out = malloc(sizeof *checkpoint);
    if (!checkpoint)
        error_set(error, APSP_MEMORY, "no memory for checkpoints");
    else if (fill(checkpoint, comm, options, error) == APSP_OK && comm->rank == 0 &&
             open_folder(checkpoint, error) == APSP_OK)
        find_state(checkpoint, n, error);
    if (comm_agree(comm, error))
        return error->code;
    comm_broadcast(comm, checkpoint->head, sizeof checkpoint->head, 0);
    comm_broadcast(comm, checkpoint->whole, sizeof checkpoint->whole, 0);
    comm_broadcast(comm, &checkpoint->found, sizeof checkpoint->found, 0);
    checkpoint->figures.resumed = checkpoint_eliminated(checkpoint);
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
    for (int i = 0; i < FILES; i++) {
        if (done && checkpoint->comm->rank == 0 && checkpoint->path[i])
            remove_file(checkpoint->path[i]);
        free(checkpoint->path[i]);
    }
    if (checkpoint->folder >= 0 && (done || checkpoint->made))
        rmdir(checkpoint->options->checkpoint); /* fails where anything is in it */
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
    for (int i = 0; i < FILES && checkpoint->found != NONE; i++) {
        const struct head *head = &checkpoint->head[i];
        const char *other =
            head->n != subject->n || head->m != subject->m || head->edges != subject->edges ? "graph"
            : strcmp(head->dtype, dtype_info[subject->dtype].name) != 0                     ? "type"
            : head->scale_binary != subject->scale.binary || head->scale_power != subject->scale.power
                ? "scale"
            : head->potentials != subject->potentials ? "choice of potentials"
                                                      : NULL;
        if (other && i == checkpoint->found)
            error_set(error, APSP_INPUT, "%s: is of another %s than this run", checkpoint->path[i], other);
        checkpoint->whole[i] &= !other; /* an older one may be of another run */
    }
    return comm_agree(checkpoint->comm, error);
}

/* Some rows on their way, `pitch` bytes apart. */
struct piece {
    struct range rows;
    char *at;
    size_t pitch, width;
    uint64_t *hash; /* of them */
    int threads;
    struct output *output;   /* to write to; or */
    const struct file *file; /* to read from */
};

static int take_row(const struct piece *piece, size_t i, struct apsp_error *error)
{
    const size_t number = piece->rows.lo + i, place = HEAD + number * piece->width;
    char *row = piece->at + i * piece->pitch;
    if (piece->output) {
        piece->hash[i] = row_hash(row, piece->width, number);
        return output_write(piece->output, place, row, piece->width, error);
    }
    if (file_read(piece->file, place, row, piece->width, error) == APSP_OK &&
        piece->hash[i] != row_hash(row, piece->width, number))
        error_set(error, APSP_IO, "%s: row %zu is damaged", piece->file->path, number);
    return error->code;
}

static void take_piece(const struct piece *piece, struct apsp_error *error)
{
    bool failed = false;
#pragma omp parallel for schedule(dynamic) num_threads(piece->threads)
    for (size_t i = 0; i < range_length(piece->rows); i++) {
        struct apsp_error own = {0};
        bool skip;
#pragma omp atomic read
        skip = failed;
        if (skip || take_row(piece, i, &own) == APSP_OK)
            continue;
#pragma omp atomic write
        failed = true;
#pragma omp critical(checkpoint_error)
        error_set(error, (enum apsp_status)own.code, "%s", own.text);
    }
}

/* All rows of the strip, to or from the piece's file; by way of the buffer where they are not in host memory.
 */
static int take_strip(const struct checkpoint_strip *strip, struct piece piece, struct apsp_error *error)
{
    size_t step = strip->at ? range_length(strip->rows) : strip->room;
    uint64_t *hash = piece.hash;
    for (struct range rows = {strip->rows.lo, 0}; rows.lo < strip->rows.hi && !error->code;
         rows.lo = rows.hi) {
        rows.hi = strip->rows.hi - rows.lo < step ? strip->rows.hi : rows.lo + step;
        piece.rows = rows;
        piece.hash = hash + (rows.lo - strip->rows.lo);
        piece.at = strip->at ? strip->at : strip->buffer;
        piece.pitch = strip->at ? strip->pitch : strip->width;
        if (!strip->at && piece.output)
            strip->copy(strip->self, rows, strip->buffer, false);
        take_piece(&piece, error);
        if (!strip->at && piece.file && !error->code)
            strip->copy(strip->self, rows, strip->buffer, true);
    }
    return error->code;
}

static struct piece piece_of(const struct checkpoint_strip *strip, struct apsp_error *error)
{
    struct piece piece = {.width = strip->width, .threads = strip->threads};
    piece.hash = malloc(checkpoint_need(strip->rows));
    if (!piece.hash)
        error_set(error, APSP_MEMORY, "no memory for the hashes of %zu rows", range_length(strip->rows));
    return piece;
}

/* Where the hashes of the strip's rows are in the file. */
static size_t hashes_at(const struct checkpoint *checkpoint, const struct checkpoint_strip *strip)
{
    return HEAD + checkpoint->subject.n * strip->width + strip->rows.lo * sizeof(uint64_t);
}

/* Every rank its rows of the file that was found. */
static int load_found(struct checkpoint *checkpoint, const struct checkpoint_strip *strip,
                      struct apsp_error *error)
{
    const char *path = checkpoint->path[checkpoint->found];
    struct piece piece = piece_of(strip, error);
    struct file file = {.fd = -1};
    struct head head;
    if (!error->code && file_open(&file, path, "the checkpoint", error) == APSP_OK &&
        file_read(&file, 0, &head, sizeof head, error) == APSP_OK) {
        piece.file = &file;
        if (memcmp(&head, &checkpoint->head[checkpoint->found], sizeof head) != 0)
            error_set(error, APSP_IO, "%s: host %s has another one", path, checkpoint->comm->host);
        else if (file_read(&file, hashes_at(checkpoint, strip), piece.hash,
                           range_length(strip->rows) * sizeof *piece.hash, error) == APSP_OK)
            take_strip(strip, piece, error);
    }
    file_close(&file);
    free(piece.hash);
    return comm_agree(checkpoint->comm, error);
}

int checkpoint_load(struct checkpoint *checkpoint, const struct checkpoint_strip *strip,
                    struct apsp_error *error)
{
    while (load_found(checkpoint, strip, error) == APSP_IO) {
        checkpoint->whole[checkpoint->found] = false;
        int older = youngest(checkpoint);
        if (older == NONE)
            return error->code;
        if (checkpoint->comm->rank == 0) {
            standard_note("damage is found", error->text);
            standard_note(checkpoint->path[older], "the run goes on from this older checkpoint");
        }
        checkpoint->found = older;
        *error = (struct apsp_error){0};
    }
    checkpoint->last = checkpoint->found;
    checkpoint->saved = checkpoint->figures.resumed = checkpoint_eliminated(checkpoint);
    checkpoint->number = checkpoint->head[checkpoint->found].number;
    return error->code;
}

bool checkpoint_due(struct checkpoint *checkpoint, size_t step)
{
    enum { ASKED, DUE, MICROSECONDS, COUNT };
    const double now = clock_seconds(), every = checkpoint->options->checkpoint_every;
    if (checkpoint->step == 0) /* the first: nothing is known of how long one takes */
        checkpoint->exchanged = now;
    if (step < checkpoint->step)
        return false;
    size_t of[COUNT] = {ending_asked(), every > 0 && now - checkpoint->written >= every,
                        (size_t)(1e6 * (now - checkpoint->exchanged))};
    comm_most_all(checkpoint->comm, of, COUNT);
    size_t steps = step - checkpoint->at, each = of[MICROSECONDS] / (steps > 0 ? steps : 1) + 1,
           more = (size_t)(1e6 * interval) / each;
    more = more < 2 * steps ? more : 2 * steps; /* a GPU's first steps have only begun, in no time */
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
        standard_note(checkpoint->options->checkpoint,
                      "holds all that can be saved: the run goes on in spite of the signal");
    checkpoint->refused = true;
    return false;
}

static struct head head_of(const struct checkpoint *checkpoint, size_t eliminated)
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
                        .eliminated = eliminated};
    memcpy(head.magic, magic, sizeof magic);
    strcpy(head.dtype, dtype_info[subject->dtype].name);
    head.hash = head_hash(&head);
    return head;
}

/* Each rank its rows, rank 0 the head too; then it gets its name. */
static int write_file(struct checkpoint *checkpoint, int which, const struct checkpoint_strip *strip,
                      size_t eliminated, struct apsp_error *error)
{
    struct comm *comm = checkpoint->comm;
    const struct output_plan plan = {.path = checkpoint->path[which], .least = HEAD, .force = true};
    struct output *output;
    if (output_open(&output, comm, &plan, error))
        return error->code;
    const struct head head = head_of(checkpoint, eliminated);
    struct piece piece = piece_of(strip, error);
    piece.output = output;
    output_check(output, true, error); /* on rank 0 this may set the file's length */
    if (comm_agree(comm, error) == APSP_OK && take_strip(strip, piece, error) == APSP_OK &&
        output_write(output, hashes_at(checkpoint, strip), piece.hash,
                     range_length(strip->rows) * sizeof *piece.hash, error) == APSP_OK &&
        comm->rank == 0)
        output_write(output, 0, &head, sizeof head, error);
    if (!error->code)
        output_finish(output, error);
    free(piece.hash);
    if (comm_agree(comm, error) == APSP_OK && comm->rank == 0)
        staged_publish(output_file(output), STAGED_TARGET, error);
    comm_agree(comm, error);
    output_free(output);
    return error->code;
}

/* What became of it. The one before is whole, if there is one. */
static int conclude(struct checkpoint *checkpoint, size_t eliminated, const struct apsp_error *own,
                    struct apsp_error *error)
{
    const char *folder = checkpoint->options->checkpoint;
    if (own->code && checkpoint->asked)
        return error_set(error, own->code, "no checkpoint could be written: %s", own->text);
    if (own->code && checkpoint->comm->rank == 0)
        standard_note("no checkpoint could be written", own->text);
    if (!own->code && checkpoint->asked)
        return error_set(error, APSP_STOPPED,
                         "stopped by a signal, %zu of %zu vertices done; --resume %s goes on from there",
                         eliminated, checkpoint->subject.n, folder);
    return APSP_OK;
}

int checkpoint_save(struct checkpoint *checkpoint, const struct checkpoint_strip *strip, size_t eliminated,
                    struct apsp_error *error)
{
    struct apsp_error own = {0};
    const double begun = clock_seconds();
    const int which = checkpoint->last == 0;
    checkpoint->asked |= comm_most(checkpoint->comm, ending_asked()) > 0;
    checkpoint->number++;
    if (checkpoint->comm->rank == 0)
        unlink(checkpoint->path[which]); /* there is room for two */
    space_patience(0);                   /* the work does not wait for space */
    if (write_file(checkpoint, which, strip, eliminated, &own) == APSP_OK) {
        checkpoint->last = which;
        checkpoint->saved = eliminated;
        checkpoint->figures.taken++;
        checkpoint->figures.bytes += (double)file_bytes(checkpoint->subject.n, strip->width);
    }
    space_patience(checkpoint->options->write_retry);
    checkpoint->written = checkpoint->exchanged = clock_seconds();
    checkpoint->figures.seconds += comm_max(checkpoint->comm, checkpoint->written - begun);
    return conclude(checkpoint, eliminated, &own, error);
}
