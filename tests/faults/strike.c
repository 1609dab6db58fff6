#include "strike.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RANGES = 16, PARTS = 4096, DEEP = 24, PROGRAM = 1 };

struct range {
    uintptr_t begin, end, base;
    uint32_t module;
};

static struct range own[RANGES];
static _Atomic int ranges;
static struct part {
    unsigned long begin, end;
} parts[PARTS];        /* of the program's text */
static int part_count; /* 0: all of it is its own */
static bool active;
static const char *never;          /* functions that are not there */
static _Atomic(const char *) full; /* one that finds no space, as long as it has not been called */
static struct site *sites;         /* while sites are recorded */
static _Atomic long *struck_calls;
static long number;
static int cause;
static uint32_t wanted; /* 0: every allocation */

bool strike_program(void)
{
    char self[PATH_MAX];
    const char *program = getenv("APSP_FAULT_PROGRAM");
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    return program && strcmp(program, self) == 0;
}

static bool is_rank(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *chosen = getenv("APSP_FAULT_RANK");
    return chosen && strcmp(chosen, rank ? rank : "none") == 0;
}

/* The program has no name here, and is number 1. */
static uint32_t module_of(const char *path)
{
    static const char *const libraries[] = {"libapsp_mpi.so", "libapsp.so"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (uint32_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
            return i + 2;
    return *name ? 0 : PROGRAM;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *count)
{
    uint32_t module = module_of(info->dlpi_name);
    (void)size;
    for (int i = 0; module && i < info->dlpi_phnum && *(int *)count < RANGES; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X)
            own[(*(int *)count)++] =
                (struct range){begin, begin + part->p_memsz, info->dlpi_addr, module};
    }
    return 0;
}

void strike_modules(void)
{
    int count = 0;
    if (!active)
        return;
    dl_iterate_phdr(add_module, &count);
    ranges = count;
}

static void read_parts(void)
{
    const char *path = getenv("APSP_FAULT_TEXT");
    FILE *file = path ? fopen(path, "re") : NULL;
    while (file && part_count < PARTS &&
           fscanf(file, "%lx %lx", &parts[part_count].begin, &parts[part_count].end) == 2)
        part_count++;
    if (file)
        fclose(file);
}

static bool is_part(unsigned long offset)
{
    for (int i = 0; i < part_count; i++)
        if (offset >= parts[i].begin && offset < parts[i].end)
            return true;
    return part_count == 0;
}

static void *shared(size_t bytes, const char *path)
{
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (path && (file < 0 || ftruncate(file, (off_t)bytes) != 0))
        abort();
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (path ? 0 : MAP_ANONYMOUS), file, 0);
    if (memory == MAP_FAILED)
        abort();
    if (path)
        close(file);
    return memory;
}

__attribute__((constructor)) static void begin(void)
{
    const char *record = getenv("APSP_FAULT_RECORD"), *order = getenv("APSP_FAULT");
    char site[16];
    void *frame[1];
    if (!strike_program())
        return;
    never = getenv("APSP_FAULT_NEVER");
    full = getenv("APSP_FAULT_FULL");
    active = (record || order) && is_rank();
    if (!active)
        return;
    backtrace(frame, 1); /* loads what it needs */
    if (record)
        sites = shared(SITES * sizeof *sites, record);
    if (order && sscanf(order, "%15s %ld %d", site, &number, &cause) != 3)
        abort();
    if (order) {
        wanted = strcmp(site, "memory") == 0 ? 0 : (uint32_t)strtoul(site, NULL, 16);
        struck_calls = shared(sizeof *struck_calls, NULL);
    }
    read_parts();
    strike_modules();
}

static uint32_t place_of(const void *address)
{
    uintptr_t at = (uintptr_t)address - 1; /* of the call, not of what follows it */
    for (int i = 0; i < ranges; i++)
        if (at >= own[i].begin && at < own[i].end &&
            (own[i].module != PROGRAM || is_part(at - own[i].base)))
            return own[i].module << 28 | (uint32_t)(at - own[i].base);
    return 0;
}

/* Never 0. */
static uint32_t key_of(const char *function, const uint32_t *frames)
{
    uint32_t key = 2166136261u;
    for (; *function; function++)
        key = (key ^ (unsigned char)*function) * 16777619u;
    for (int i = 0; i < FRAMES; i++)
        key = (key ^ frames[i]) * 16777619u;
    return key ? key : 1;
}

static void find_frames(uint32_t *frames, const void *from)
{
    void *all[DEEP];
    int deep = backtrace(all, DEEP), at = 0, found = 1;
    while (at < deep && all[at] != from)
        at++;
    for (at++; at < deep && found < FRAMES; at++)
        if ((frames[found] = place_of(all[at])))
            found++;
}

static void count(uint32_t key, const uint32_t *frames, const char *function)
{
    for (uint32_t i = key; i - key < SITES; i++) {
        struct site *site = &sites[i % SITES];
        uint32_t empty = 0;
        if (atomic_compare_exchange_strong(&site->key, &empty, key)) {
            memcpy(site->frames, frames, sizeof site->frames);
            snprintf(site->function, sizeof site->function, "%s", function);
            empty = key;
        }
        if (empty == key) {
            site->calls++;
            return;
        }
    }
}

static void note(const char *function)
{
    const char *path = getenv("APSP_FAULT_LOG");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file >= 0) {
        dprintf(file, "%s %d\n", function, cause);
        close(file);
    }
}

static enum strike decide(const char *function, bool memory, uint32_t *frames, const void *from)
{
    uint32_t key = 0;
    if (sites || wanted) {
        find_frames(frames, from);
        key = key_of(function, frames);
    }
    if (sites)
        count(key, frames, function);
    if (!struck_calls || (wanted ? key != wanted : !memory) ||
        atomic_fetch_add(struck_calls, 1) + 1 != number)
        return PASSES;
    note(function);
    return cause ? FAILS : HALF;
}

static bool is_never(const char *function)
{
    const size_t length = strlen(function);
    const char *at = never ? strstr(never, function) : NULL;
    while (at && ((at > never && at[-1] != ' ') || (at[length] && at[length] != ' ')))
        at = strstr(at + 1, function);
    return at;
}

enum strike strike(const char *function, bool memory, const void *from)
{
    uint32_t frames[FRAMES] = {0};
    int before = errno;
    const char *once = full;
    if (is_never(function)) {
        errno = EINVAL;
        return FAILS;
    }
    if (once && strcmp(once, function) == 0 && atomic_compare_exchange_strong(&full, &once, NULL)) {
        errno = ENOSPC;
        return FAILS;
    }
    if (!active || !(frames[0] = place_of(from)))
        return PASSES;
    enum strike result = decide(function, memory, frames, from);
    errno = result == FAILS ? cause : before;
    return result;
}
