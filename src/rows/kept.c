#include "rows/kept.h"

#include "base/mem.h"
#include "base/setting.h"
#include "base/size.h"
#include "base/text.h"
#include "files/staged.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOWHERE SIZE_MAX

enum {
    CHUNK = SIZE_OF(1 << 20, 1 << 9),
    WAITING = SIZE_OF(1024, 5)
}; /* bytes and rows that a worker puts down at a time */

struct lane {
    char *bytes; /* of rows that are not put down yet, and room for those of one more */
    size_t used, places;
    struct {
        size_t place, bytes;
    } * waiting; /* these rows */
};

struct kept {
    struct comm *comm;
    size_t rows, *at, *bytes; /* of each row: where it is in the file; NOWHERE: another rank's */
    int fd;
    struct staged *beside; /* the other file; NULL: in memory */
    atomic_size_t end;     /* of the file */
    const char *content;   /* of the file, once it is complete */
    struct lane lane[SINK_LANES];
};

static size_t place_lane(struct lane *lane, size_t most, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t bytes;
    mem_add(&bytes, CHUNK, most);
    lane->bytes = mem_place(&layout, bytes, 1);
    lane->waiting = mem_place(&layout, WAITING, sizeof *lane->waiting);
    return layout.bytes;
}

size_t kept_need(size_t rows, size_t most, int lanes)
{
    struct lane lane;
    size_t all;
    mem_mul(&all, place_lane(&lane, most, NULL), (size_t)lanes);
    mem_add(&all, all, mem_bytes(rows, 2 * sizeof(size_t)));
    return all;
}

/* A file without a name in the folder of that other. Returns -1, and errno is set, without one. */
static int open_beside(const struct staged *beside)
{
    const char *slash = beside ? strrchr(beside->temporary, '/') : NULL;
    if (!beside)
        return memfd_create("apsp-rows", MFD_CLOEXEC);
    char *folder =
        slash ? strndup(beside->temporary, (size_t)(slash + 1 - beside->temporary)) : strdup(".");
    int fd = folder ? file_unnamed(folder) : -1, cause = errno;
    free(folder);
    errno = cause;
    return fd;
}

int kept_open(struct kept **out, size_t rows, struct comm *comm, struct staged *beside,
              struct apsp_error *error)
{
    struct kept *kept = *out = calloc(1, sizeof *kept);
    if (!kept)
        return error_set(error, APSP_MEMORY, "no memory for rows on %s", comm->host);
    kept->comm = comm;
    kept->rows = rows;
    kept->beside = beside;
    kept->at = mem_alloc(mem_bytes(rows, sizeof *kept->at));
    kept->bytes = mem_alloc(mem_bytes(rows, sizeof *kept->bytes));
    kept->fd = open_beside(beside);
    if (!kept->at || !kept->bytes)
        error_set(error, APSP_MEMORY, "no memory for the positions of %zu rows on %s", rows,
                  comm->host);
    if (kept->fd < 0)
        error_set(error, error_status(errno),
                  "%s: cannot create a temporary file for rows beside it on host %s: %s",
                  beside ? beside->path : "memory", comm->host, strerror(errno));
    for (size_t place = 0; place < rows && !error->code; place++)
        kept->at[place] = NOWHERE;
    if (error->code) {
        kept_free(kept);
        *out = NULL;
    }
    return error->code;
}

void kept_free(struct kept *kept)
{
    if (!kept)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        mem_free(kept->lane[i].bytes);
    if (kept->content)
        munmap((void *)(uintptr_t)kept->content, kept->end);
    if (kept->fd >= 0)
        close(kept->fd);
    mem_free(kept->bytes);
    mem_free(kept->at);
    free(kept);
}

static int refuse_kept(const struct kept *kept, const char *what, struct apsp_error *error)
{
    char bytes[TEXT_NUMBER];
    const bool full = kept->beside && (errno == ENOSPC || errno == EDQUOT);
    return error_set(error, error_status(errno),
                     "%s: the temporary file of %s beside it cannot be %s on host %s: %s%s%s%s",
                     kept->beside ? kept->beside->path : "memory",
                     text_bytes(bytes, (size_t)kept->end), what, kept->comm->host, strerror(errno),
                     full ? "; choose a folder with more room, or " : "",
                     full ? SETTING(WRITE_RETRY) : "", full ? " SECONDS" : "");
}

/* The rows that wait go to the file. */
static int put_down(struct kept *kept, struct lane *lane, struct apsp_error *error)
{
    struct space in_memory = {.never = true},
                 *space = kept->beside ? &kept->beside->space : &in_memory;
    size_t at = atomic_fetch_add(&kept->end, lane->used);
    bool waits = false;
    for (size_t done = 0; done < lane->used;) {
        ssize_t put = pwrite(kept->fd, lane->bytes + done, lane->used - done, (off_t)(at + done));
        if (put == 0)
            errno = EIO;
        if (put <= 0 && errno != EINTR && !space_wait(space, errno, &waits))
            return refuse_kept(kept, "written", error);
        done += put > 0 ? (size_t)put : 0;
    }
    space_found(space, &waits);
    for (size_t k = 0; k < lane->places; k++) {
        kept->at[lane->waiting[k].place] = at;
        kept->bytes[lane->waiting[k].place] = lane->waiting[k].bytes;
        at += lane->waiting[k].bytes;
    }
    lane->used = lane->places = 0;
    return APSP_OK;
}

char *kept_room(struct kept *kept, int number, size_t most, struct apsp_error *error)
{
    struct lane *lane = &kept->lane[number];
    if (!lane->bytes) {
        void *memory = mem_alloc(place_lane(lane, most, NULL));
        place_lane(lane, most, memory);
        if (!memory) {
            error_set(error, APSP_MEMORY, "no memory for the results of rows on %s",
                      kept->comm->host);
            return NULL;
        }
    }
    return lane->bytes + lane->used;
}

int kept_add(struct kept *kept, int number, size_t place, size_t bytes, struct apsp_error *error)
{
    struct lane *lane = &kept->lane[number];
    lane->waiting[lane->places].place = place;
    lane->waiting[lane->places++].bytes = bytes;
    lane->used += bytes;
    return lane->used >= CHUNK || lane->places == WAITING ? put_down(kept, lane, error) : APSP_OK;
}

int kept_merge(struct kept *kept, struct apsp_error *error)
{
    for (int i = 0; i < SINK_LANES && !error->code; i++)
        if (kept->lane[i].places > 0)
            put_down(kept, &kept->lane[i], error);
    if (kept->end > 0 && !error->code) {
        void *content = mmap(NULL, kept->end, PROT_READ, MAP_SHARED, kept->fd, 0);
        if (content == MAP_FAILED)
            refuse_kept(kept, "read", error);
        else
            kept->content = content;
    }
    comm_sum_all(kept->comm, kept->bytes, kept->rows);
    return error->code;
}

const char *kept_row(const struct kept *kept, size_t place, size_t *bytes)
{
    *bytes = kept->bytes[place];
    return kept->at[place] == NOWHERE || !kept->content ? NULL : kept->content + kept->at[place];
}
