/*
 * A weak order of memory among the waves of a block: a part of runtime.cc. It serves kernels that
 * are compiled with -fsanitize=thread, whose calls tell of every store; else nothing happens.
 *
 * A wave sees its own stores at once. Others see them late: when it releases, or at random moments,
 * in any order. Even then a wave may go on with older values until it acquires. So stores pass
 * stores, and loads pass loads, as AMD's model of memory allows without fences. All waves see an
 * atomic operation at once, without the stores before it.
 *
 * Only one wave runs at a time, and memory is what it sees. Each wave keeps the bytes in which its
 * view differs from what all see: they change places when it begins to run and when it ends.
 * EMULATED_PLANT=release or acquire leaves such an order out wherever a kernel has it.
 */
#ifndef EMULATED_WEAK_H
#define EMULATED_WEAK_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <unordered_map>
#include <vector>

namespace emulated
{

static std::minstd_rand &random_numbers();

namespace weak
{

enum { CELL = 8, SOON = 16 /* one store of so many is seen when its wave stops */ };

/* Bytes of a cell of memory that are as another view has them. */
struct hidden {
    unsigned char mask = 0, bytes[CELL];
};
using view = std::unordered_map<char *, hidden>;

struct wave {
    view stored; /* by it, and not seen by others, who see these bytes */
    view unseen; /* stored by others, and older in its view */
};

static std::vector<wave> waves;
static thread_local wave *running; /* on the device's thread */
static const char *stack_begin, *stack_end;

static bool planted(const char *order)
{
    static const char *plant = getenv("EMULATED_PLANT");
    return plant && strcmp(plant, order) == 0;
}

static void swap(char *at, hidden &cell)
{
    for (int b = 0; b < CELL; b++)
        if (cell.mask >> b & 1)
            std::swap(at[b], *(char *)&cell.bytes[b]);
}

static void swap_all(view &view)
{
    for (auto &[at, cell] : view)
        swap(at, cell);
}

/* All see the store of a wave from now on, but some keep the bytes of before for a while. */
static void publish(const wave &by, char *at, const hidden &before)
{
    for (wave &wave : waves) {
        if (&wave == &by || random_numbers()() % 2 == 0)
            continue;
        const auto own = wave.stored.find(at);
        hidden &cell = wave.unseen[at];
        unsigned add = before.mask & ~cell.mask &
                       ~(own == wave.stored.end() ? 0u : (unsigned)own->second.mask);
        for (int b = 0; b < CELL; b++)
            if (add >> b & 1)
                cell.bytes[b] = before.bytes[b];
        cell.mask |= (unsigned char)add;
    }
}

/* A block of so many waves, whose stacks are there, from its beginning to its end. */
static void begin(unsigned count, const char *stacks, const char *end)
{
    waves.assign(count, wave());
    stack_begin = stacks;
    stack_end = end;
}

/* A wave runs. */
static void enter(unsigned number)
{
    running = &waves[number];
    swap_all(running->unseen);
    swap_all(running->stored);
}

static void leave()
{
    for (auto next = running->stored.begin(); next != running->stored.end();) {
        auto &[at, cell] = *next;
        if (random_numbers()() % SOON == 0) {
            publish(*running, at, cell);
            next = running->stored.erase(next);
        } else {
            swap(at, cell);
            ++next;
        }
    }
    swap_all(running->unseen);
    running = NULL;
}

/* Others see all stores of the wave that runs; the wave sees all that others have released. */
static void release()
{
    if (!running || planted("release"))
        return;
    for (auto &[at, cell] : running->stored)
        publish(*running, at, cell);
    running->stored.clear();
}

static void acquire()
{
    if (!running || planted("acquire"))
        return;
    swap_all(running->unseen);
    running->unseen.clear();
}

static void see(char *at)
{
    const auto found = running->unseen.find(at);
    if (found == running->unseen.end())
        return;
    swap(at, found->second);
    running->unseen.erase(found);
}

/* The word there is that of all, for an atomic operation. */
static void touch(const void *where)
{
    char *at = (char *)((uintptr_t)where / CELL * CELL);
    if (!running)
        return;
    see(at);
    const auto found = running->stored.find(at);
    if (found == running->stored.end())
        return;
    publish(*running, at, found->second);
    running->stored.erase(found);
}

static void end()
{
    for (wave &wave : waves)
        swap_all(wave.stored);
    waves.clear();
}

/* Before these bytes are stored. */
static void store(const void *where, size_t bytes)
{
    char *first = (char *)where, *last = first + bytes;
    if (!running || (first >= stack_begin && first < stack_end))
        return;
    for (char *at = (char *)((uintptr_t)first / CELL * CELL); at < last; at += CELL) {
        see(at);
        hidden &cell = running->stored[at];
        for (int b = 0; b < CELL; b++)
            if (at + b >= first && at + b < last && !(cell.mask >> b & 1)) {
                cell.mask |= (unsigned char)(1 << b);
                cell.bytes[b] = (unsigned char)at[b];
            }
    }
}

} // namespace weak
} // namespace emulated

using emulated::weak::store;

/* The calls of -fsanitize=thread. */
#define TOLD(bytes)                                                                                \
    void __tsan_read##bytes(void *)                                                                \
    {                                                                                              \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(void *)                                                      \
    {                                                                                              \
    }                                                                                              \
    void __tsan_write##bytes(void *at)                                                             \
    {                                                                                              \
        store(at, bytes);                                                                          \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *at)                                                   \
    {                                                                                              \
        store(at, bytes);                                                                          \
    }

extern "C" {
TOLD(1)
TOLD(2)
TOLD(4)
TOLD(8)
TOLD(16)
void __tsan_init()
{
}
void __tsan_func_entry(void *)
{
}
void __tsan_func_exit()
{
}
void __tsan_vptr_update(void **, void *)
{
}
void __tsan_vptr_read(void **)
{
}
}

#endif
