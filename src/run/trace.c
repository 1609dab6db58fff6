#include "run/trace.h"

#include "base/mem.h"
#include "files/staged.h"
#include "run/options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMMAND_MAX = 1 << 20 };

/* Takes from the words what has made them safe for mpirun. */
static void unquote(struct trace *trace)
{
    const char *const end = trace->command + trace->command_bytes;
    char *to = trace->command + strlen(trace->command) + 1;
    if (to >= end || strcmp(to, OPTIONS_QUOTED) != 0)
        return;
    for (const char *from = to + sizeof OPTIONS_QUOTED; from < end;) {
        const size_t bytes = strlen(from) + 1, mark = *from == OPTIONS_MARK;
        memmove(to, from + mark, bytes - mark);
        to += bytes - mark;
        from += bytes;
    }
    trace->command_bytes = (size_t)(to - trace->command);
}

static void read_command(struct trace *trace)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    char *text = fd >= 0 ? malloc(COMMAND_MAX) : NULL;
    ssize_t got = 1;
    while (text && got > 0 && trace->command_bytes < COMMAND_MAX - 1) {
        got = read(fd, text + trace->command_bytes, COMMAND_MAX - 1 - trace->command_bytes);
        trace->command_bytes += got > 0 ? (size_t)got : 0;
    }
    if (text)
        text[trace->command_bytes] = '\0';
    if (fd >= 0)
        close(fd);
    trace->command = text;
    if (text)
        unquote(trace);
}

void trace_start(struct trace *trace, const struct comm *comm, bool reported)
{
    *trace = (struct trace){.begun = time(NULL), .host = comm->host, .library = comm->library};
    if (reported && comm->rank == 0)
        read_command(trace);
}

void trace_free(struct trace *trace)
{
    free(trace->command);
    *trace = (struct trace){0};
}

/* Each rank the blocks of its share, which of a matrix are about those that it has written. */
static bool hash_together(struct hash *hash, const struct file *file, struct comm *comm,
                          int threads)
{
    struct apsp_error error = {0};
    bool shared = comm_sum(comm, file->fd < 0) == 0;
    size_t blocks = hash_blocks(file->bytes), readers = shared ? (size_t)comm->ranks : 1,
           reader = shared ? (size_t)comm->rank : 0, each = blocks / readers + 1;
    struct range mine = range_part((struct range){0, blocks}, reader, readers);
    struct hash *own = mem_alloc(mem_bytes(each, sizeof *own)),
                *all = comm->rank == 0
                           ? mem_alloc(mem_bytes(mem_bytes(each, (size_t)comm->ranks), sizeof *all))
                           : NULL;
    if (!own || (comm->rank == 0 && !all))
        error_set(&error, APSP_MEMORY, "%s: no memory to hash it", file->path);
    else if (shared || comm->rank == 0)
        hash_range(own, file, mine, threads, &error);
    if (comm_agree(comm, &error) == APSP_OK) {
        comm_gather(comm, own, each * sizeof *own, all);
        for (size_t r = 0, at = 0; comm->rank == 0 && r < readers; r++) { /* closes the gaps */
            size_t length = range_length(range_part((struct range){0, blocks}, r, readers));
            memmove(all + at, all + r * each, length * sizeof *all);
            at += length;
        }
        if (comm->rank == 0)
            *hash = hash_list(all, blocks);
    }
    mem_free(all);
    mem_free(own);
    return error.code == APSP_OK;
}

void trace_add(struct trace *trace, const char *what, const struct staged *staged,
               struct comm *comm, int threads)
{
    struct stat status;
    struct file file = {.path = "", .fd = staged ? staged->fd : -1};
    struct trace_file *made = &trace->made[trace->files];
    if (file.fd >= 0 && comm->rank == 0 && fstat(file.fd, &status) == 0)
        file.bytes = (size_t)status.st_size;
    comm_broadcast(comm, &file.bytes, sizeof file.bytes, 0);
    if (trace->files == TRACE_FILES)
        return;
    trace->files++;
    *made = (struct trace_file){.what = what, .bytes = file.bytes};
    if (staged)
        made->path = staged->place ? staged->place : staged->path;
    made->hashed = hash_together(&made->hash, &file, comm, threads);
}
