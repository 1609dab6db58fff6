/* The runtime of emulated.h: memory, streams, and the threads of a block, which take turns on
 * stacks of their own. One thread of the process is its device; it takes the next piece of work
 * from any stream. */
#include EMULATED_RUNTIME

#include "weak.h"

#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <set>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace emulated
{

enum {
    SHARED_DEFAULT = 48 << 10,
    THREADS_MAX = 1024,
    STACK = 256 << 10,
    PAGE = 4096,
    RUBBISH = 0xa5,
    FILLED = 64 << 20
};

/* What blocks share that has a name (compiler). */
extern "C" __attribute__((visibility("hidden"), weak)) char __start_emulated_shared[],
    __stop_emulated_shared[];

[[noreturn]] static void give_up(const char *text)
{
    fprintf(stderr, "emulated GPU: %s\n", text);
    abort();
}

static size_t setting(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static size_t capacity()
{
    static const size_t bytes = setting("EMULATED_MEMORY", (size_t)2 << 30);
    return bytes;
}

static std::minstd_rand &random_numbers()
{
    static std::minstd_rand numbers((unsigned)setting("EMULATED_SEED", 1));
    return numbers;
}

/* All numbers below `count`, in a random order of few. */
struct order {
    size_t count, first, step;
    explicit order(size_t count) : count(count), first(random_numbers()() % count), step(1)
    {
        do
            step = random_numbers()() % count + 1;
        while (std::gcd(step, count) != 1);
    }
    size_t operator[](size_t i) const
    {
        return (first + i * step) % count;
    }
};

/* ---- The threads of a block ---- */

struct meeting { /* of those that are alive */
    unsigned alive, arrived, times;
    int64_t given[2][EMULATED_LANES];
    void end_if_all()
    {
        if (arrived == alive) {
            arrived = 0;
            times++;
        }
    }
};

struct fiber {
    uint3 thread;
    bool started, done;
    const unsigned *waits; /* until this is no longer `for_more` */
    unsigned for_more;
    struct meeting *team;
    unsigned lane; /* of the team */
    jmp_buf at;
};

struct lane here;
static struct fiber fibers[THREADS_MAX], *running;
static struct meeting block, teams[THREADS_MAX / EMULATED_LANES];
static char *stacks; /* of all fibers */
static jmp_buf scheduler;
static ucontext_t returning, starting;
static const std::function<void()> *body;
static std::vector<uint4> &shared_memory = *new std::vector<uint4>;

void *shared()
{
    return shared_memory.data();
}

static void leave()
{
    if (_setjmp(running->at) == 0)
        _longjmp(scheduler, 1);
}

static void arrive(struct meeting &meeting)
{
    running->waits = &meeting.times;
    running->for_more = meeting.times;
    meeting.arrived++;
    meeting.end_if_all();
    if (meeting.times == running->for_more)
        leave();
    running->waits = NULL;
}

void fence(int order)
{
    if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL)
        weak::release();
    if (order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL)
        weak::acquire();
}

void touch(const void *at)
{
    weak::touch(at);
}

void barrier()
{
    weak::release();
    arrive(block);
    weak::acquire();
}

void meet()
{
    arrive(*running->team);
}

/* Nobody gives twice before all have read: two places will do. */
static const int64_t *give(int64_t own)
{
    int64_t *given = running->team->given[running->team->times % 2];
    given[running->lane] = own;
    meet();
    return given;
}

int64_t of_other(int64_t own, unsigned away)
{
    const unsigned lane = running->lane ^ away;
    return give(own)[lane];
}

int64_t of_lane(int64_t own, unsigned lane)
{
    return give(own)[lane];
}

/* Of every fiber, which runs body after body. */
static void run_fiber()
{
    for (;;) {
        (*body)();
        running->done = true;
        for (struct meeting *meeting : {&block, running->team}) {
            meeting->alive--;
            if (meeting->alive > 0)
                meeting->end_if_all();
        }
        leave();
    }
}

static void go_on(struct fiber &fiber)
{
    running = &fiber;
    here.thread = fiber.thread;
    if (_setjmp(scheduler) != 0)
        return;
    if (fiber.started)
        _longjmp(fiber.at, 1);
    fiber.started = true;
    char *stack = stacks + (&fiber - fibers) * STACK;
    if (mprotect(stack, PAGE, PROT_NONE) != 0)
        give_up("no memory for a stack");
    getcontext(&starting);
    starting.uc_stack.ss_sp = stack;
    starting.uc_stack.ss_size = STACK;
    makecontext(&starting, run_fiber, 0);
    swapcontext(&returning, &starting);
}

static bool may_go_on(const struct fiber &fiber)
{
    return !fiber.done && (!fiber.waits || *fiber.waits != fiber.for_more);
}

/* Threads of this wave are next. There may be none of that number. */
static void run_as(unsigned wave)
{
    static unsigned last;
    static bool any;
    if (any && wave == last)
        return;
    if (any)
        weak::leave();
    last = wave;
    any = wave < weak::waves.size();
    if (any)
        weak::enter(wave);
}

static void run_block(unsigned threads)
{
    if (!stacks)
        stacks = (char *)mmap(NULL, (size_t)THREADS_MAX * STACK, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED)
        give_up("no memory for stacks");
    block = {threads, 0, 0, {}};
    for (unsigned t = 0; t < threads; t++) {
        struct fiber &fiber = fibers[t];
        fiber.thread = {t % here.threads.x, t / here.threads.x % here.threads.y,
                        t / here.threads.x / here.threads.y};
        fiber.team = &teams[t / EMULATED_LANES];
        fiber.lane = t % EMULATED_LANES;
        fiber.done = false;
        fiber.waits = NULL;
        *fiber.team = {fiber.lane + 1, 0, 0, {}};
    }
    memset(shared_memory.data(), RUBBISH, shared_memory.size() * sizeof(uint4));
    memset(__start_emulated_shared, RUBBISH,
           (size_t)(__stop_emulated_shared - __start_emulated_shared));
    const unsigned waves = (threads + EMULATED_LANES - 1) / EMULATED_LANES;
    weak::begin(waves, stacks, stacks + THREADS_MAX * STACK);
    while (block.alive > 0) {
        const bool by_wave = random_numbers()() % 4 > 0; /* else lanes of any waves in turn */
        const struct order all(threads), order(waves), lanes(EMULATED_LANES);
        bool moved = false;
        for (unsigned i = 0; i < waves * EMULATED_LANES; i++) {
            const size_t own =
                by_wave ? order[i / EMULATED_LANES] * EMULATED_LANES + lanes[i % EMULATED_LANES]
                : i < threads ? all[i]
                              : threads;
            if (own < threads && may_go_on(fibers[own])) {
                moved = true;
                run_as((unsigned)own / EMULATED_LANES);
                go_on(fibers[own]);
            }
        }
        run_as(waves);
        if (!moved)
            give_up("the threads of a block wait for what none of them will do");
    }
    weak::end();
}

static void run_blocks(dim3 blocks, dim3 threads, size_t bytes, const std::function<void()> &work)
{
    const size_t count = (size_t)blocks.x * blocks.y * blocks.z;
    const struct order order(count);
    body = &work;
    shared_memory.resize((bytes + sizeof(uint4) - 1) / sizeof(uint4));
    here.threads = threads;
    here.blocks = blocks;
    for (size_t i = 0; i < count; i++) {
        const size_t number = order[i];
        here.block = {(unsigned)(number % blocks.x), (unsigned)(number / blocks.x % blocks.y),
                      (unsigned)(number / blocks.x / blocks.y)};
        run_block(threads.x * threads.y * threads.z);
    }
}

} // namespace emulated

/* ---- Streams and events ---- */

struct emulated_times {
    std::atomic<size_t> recorded, reached;
    std::atomic<int64_t> at; /* of a clock, ns */
};

struct emulated_event {
    std::shared_ptr<emulated_times> times;
    unsigned flags;
    int file = -1; /* of the times, where other processes may see them */
    bool foreign = false;
};

using emulated_work = std::function<void()>;

struct emulated_stream {
    struct piece {
        emulated_work work;
        std::shared_ptr<emulated_times> after; /* or NULL */
        size_t number;
    };
    std::deque<piece> queue;
    int device;
    bool busy = false, destroyed = false;
};

namespace emulated
{

struct region {
    size_t bytes;
    int file, device;
};

/* Of this process. Never destroyed: its thread runs until the process ends. */
struct device {
    std::mutex lock;
    std::condition_variable work, done;
    std::vector<emulated_stream *> streams;
    std::map<int, emulated_stream *> usual; /* of them, by devices */
    unsigned waiting = 0;                   /* hosts that wait for it */
    std::map<char *, region> memory, pinned, mapped;
    std::map<const void *, size_t>
        allowed; /* what blocks of a kernel may share, where it is more than usual */
    std::set<std::pair<int, int>> peers; /* devices and those that they reach */
    size_t taken = 0;
};

static struct device &device()
{
    static struct device &device = *new struct device;
    return device;
}

static thread_local emulated_error last;
static thread_local int chosen;

static bool imitates(const char *habit)
{
    const char *habits = getenv("IMITATE");
    return habits && strstr(habits, habit);
}

static emulated_error ended(emulated_error status)
{
    if (imitates("last") || (status != NAME(Success) && status != NAME(ErrorNotReady)))
        last = status;
    return status;
}

/* Of small numbers, which are no addresses, the default stream of the device that is chosen. The
 * lock is held. */
static emulated_stream *real(emulated_stream *stream)
{
    if ((uintptr_t)stream > 2) /* cudaStreamPerThread */
        return stream;
    emulated_stream *&own = device().usual[chosen];
    if (!own)
        device().streams.push_back(own = new emulated_stream{.device = chosen});
    return own;
}

static bool is_ready(const emulated_stream &stream)
{
    return !stream.queue.empty() && !stream.busy &&
           (!stream.queue.front().after ||
            stream.queue.front().after->reached >= stream.queue.front().number);
}

/* Work is put off for as long as nobody waits for it, or a moment. */
static void run_device()
{
    using namespace std::chrono_literals;
    struct device &on = device();
    std::unique_lock hold(on.lock);
    for (;;) {
        bool any = false;
        for (const emulated_stream *stream : on.streams)
            any |= !stream->queue.empty();
        if (!any) {
            on.work.wait(hold);
            continue;
        }
        if (on.waiting == 0 && on.work.wait_for(hold, 300us) == std::cv_status::no_timeout)
            continue;
        const struct order order(on.streams.size());
        emulated_stream *next = NULL;
        for (size_t i = 0; i < on.streams.size() && !next; i++)
            if (is_ready(*on.streams[order[i]]))
                next = on.streams[order[i]];
        if (!next) { /* another process's event, or a piece that is not there yet */
            on.work.wait_for(hold, 50us);
            continue;
        }
        emulated_work work = std::move(next->queue.front().work);
        next->queue.pop_front();
        next->busy = true;
        hold.unlock();
        if (work)
            work();
        hold.lock();
        next->busy = false;
        if (next->destroyed && next->queue.empty()) {
            std::erase(on.streams, next);
            delete next;
        }
        on.done.notify_all();
    }
}

static void add(emulated_stream *stream, emulated_work work,
                std::shared_ptr<emulated_times> after = NULL, size_t number = 0)
{
    static std::once_flag once;
    std::call_once(once, [] { std::thread(run_device).detach(); });
    struct device &on = device();
    std::lock_guard hold(on.lock);
    real(stream)->queue.push_back({std::move(work), std::move(after), number});
    on.work.notify_all();
}

template <class Condition> static void wait_until(Condition condition)
{
    using namespace std::chrono_literals;
    struct device &on = device();
    std::unique_lock hold(on.lock);
    on.waiting++;
    on.work.notify_all();
    while (!condition()) /* also what another process reaches */
        on.done.wait_for(hold, 100us);
    on.waiting--;
}

static bool is_idle(const emulated_stream *stream)
{
    return stream->queue.empty() && !stream->busy;
}

static void finish(emulated_stream *stream)
{
    wait_until([=] { return is_idle(real(stream)); });
}

static void finish_all()
{
    wait_until([] {
        for (const emulated_stream *stream : device().streams)
            if (!is_idle(stream))
                return false;
        return true;
    });
}

static const region *find(const std::map<char *, region> &in, const void *at)
{
    auto next = in.upper_bound((char *)at);
    if (next == in.begin())
        return NULL;
    --next;
    return (const char *)at < next->first + next->second.bytes ? &next->second : NULL;
}

/* Of the host, and known to no runtime. */
static bool is_pageable(const void *at)
{
    struct device &on = device();
    std::lock_guard hold(on.lock);
    return !find(on.memory, at) && !find(on.pinned, at) && !find(on.mapped, at);
}

/* What is read from pageable memory is read at once, what is written there stands on return. */
static emulated_error copy(void *to, size_t to_pitch, const void *from, size_t pitch, size_t width,
                           size_t rows, emulated_stream *stream)
{
    if (is_pageable(from)) {
        auto kept = std::make_shared<std::vector<char>>(width * rows);
        for (size_t i = 0; i < rows; i++)
            memcpy(kept->data() + i * width, (const char *)from + i * pitch, width);
        add(stream, [=] {
            for (size_t i = 0; i < rows; i++)
                memcpy((char *)to + i * to_pitch, kept->data() + i * width, width);
        });
        return ended(NAME(Success));
    }
    add(stream, [=] {
        for (size_t i = 0; i < rows; i++)
            memcpy((char *)to + i * to_pitch, (const char *)from + i * pitch, width);
    });
    if (is_pageable(to))
        finish(stream);
    return ended(NAME(Success));
}

/* Streams belong to the device that was chosen when they were made. */
static bool is_foreign(const emulated_stream *stream)
{
    return (uintptr_t)stream > 2 && stream->device != chosen;
}

void launch(const void *kernel, dim3 blocks, dim3 threads, size_t bytes, NAME(Stream_t) stream,
            emulated_work work)
{
    struct device &on = device();
    const size_t count = (size_t)threads.x * threads.y * threads.z;
    std::unique_lock hold(on.lock);
    const size_t allowed =
        on.allowed.contains(kernel) ? on.allowed[kernel] : (size_t)SHARED_DEFAULT;
    hold.unlock();
    const bool good = count > 0 && count <= THREADS_MAX && bytes <= allowed && blocks.x > 0 &&
                      blocks.y > 0 && blocks.z > 0 && blocks.y < 65536 && !is_foreign(stream);
    if (good)
        add(stream, [=] { run_blocks(blocks, threads, bytes, work); });
    (void)ended(good ? NAME(Success) : NAME(ErrorInvalidValue));
}

/* A piece of memory that other processes can map by way of the file. */
static void *map_file(int file, size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void *make_shared_memory(int *file, size_t bytes)
{
    *file = memfd_create("emulated GPU", MFD_CLOEXEC);
    void *at = *file >= 0 && ftruncate(*file, (off_t)bytes) == 0 ? map_file(*file, bytes) : NULL;
    if (!at && *file >= 0)
        close(*file);
    return at;
}

static int open_shared_memory(int process, int number)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", process, number);
    return open(path, O_RDWR | O_CLOEXEC);
}

static std::shared_ptr<emulated_times> times_at(void *at)
{
    return {(emulated_times *)at, [](emulated_times *times) { munmap(times, sizeof *times); }};
}

/* Numbers of the GPUs that the environment lets be seen. */
static std::vector<int> visible()
{
    const size_t count = setting("EMULATED_GPUS", 2);
    const char *list = getenv("CUDA_VISIBLE_DEVICES") ? getenv("CUDA_VISIBLE_DEVICES")
                                                      : getenv("HIP_VISIBLE_DEVICES");
    std::vector<int> numbers;
    for (size_t i = 0; !list && i < count; i++)
        numbers.push_back((int)i);
    for (char *end; list && *list; list = *end ? end + 1 : end) {
        const long number = strtol(list, &end, 10);
        if (end == list || number < 0 || (size_t)number >= count)
            break;
        numbers.push_back((int)number);
    }
    return numbers;
}

static bool is_device(int number)
{
    return number >= 0 && (size_t)number < visible().size();
}

} // namespace emulated

using namespace emulated;

/* ---- The runtime's functions ---- */

extern "C" {

const char *NAME(GetErrorString)(emulated_error error)
{
    switch (error) {
    case NAME(Success):
        return "no error";
    case NAME(ErrorInvalidValue):
        return "invalid argument";
    case NAME(ErrorMemoryAllocation):
        return "out of memory";
    case NAME(ErrorInvalidDevice):
        return "invalid device ordinal";
    case NAME(ErrorNotReady):
        return "device not ready";
    case NAME(ErrorPeerAccessAlreadyEnabled):
        return "peer access is already enabled";
    }
    return "unknown error";
}

emulated_error NAME(GetLastError)(void)
{
    const emulated_error error = last;
    last = NAME(Success);
    return error;
}

emulated_error NAME(GetDeviceCount)(int *count)
{
    *count = (int)visible().size();
    return ended(*count > 0 ? NAME(Success) : NAME(ErrorInvalidDevice));
}

emulated_error NAME(SetDevice)(int number)
{
    if (!is_device(number))
        return ended(NAME(ErrorInvalidDevice));
    chosen = number;
    return ended(NAME(Success));
}

emulated_error NAME(GetDevice)(int *number)
{
    *number = chosen;
    return ended(NAME(Success));
}

emulated_error NAME(DeviceGetAttribute)(int *value, enum emulated_attribute attribute, int number)
{
    static const int values[] = {4, 1000000, EMULATED_SHARED};
    if (!is_device(number))
        return ended(NAME(ErrorInvalidDevice));
    *value = values[attribute];
    return ended(NAME(Success));
}

emulated_error NAME(GetDeviceProperties)(struct NAME_PROPERTIES *properties, int number)
{
    if (!is_device(number))
        return ended(NAME(ErrorInvalidDevice));
    *properties = {"emulated GPU", capacity(), 4};
    return ended(NAME(Success));
}

emulated_error NAME(DeviceCanAccessPeer)(int *can, int number, int peer)
{
    *can = number != peer;
    return ended(is_device(number) && is_device(peer) ? NAME(Success) : NAME(ErrorInvalidDevice));
}

/* Of the device that is chosen; once. */
emulated_error NAME(DeviceEnablePeerAccess)(int peer, unsigned flags)
{
    struct device &on = device();
    std::lock_guard hold(on.lock);
    if (!is_device(peer) || peer == chosen || flags != 0)
        return ended(NAME(ErrorInvalidDevice));
    return ended(on.peers.insert({chosen, peer}).second ? NAME(Success)
                                                        : NAME(ErrorPeerAccessAlreadyEnabled));
}

emulated_error NAME(DeviceGetPCIBusId)(char *text, int size, int number)
{
    if (!is_device(number))
        return ended(NAME(ErrorInvalidDevice));
    snprintf(text, (size_t)size, "EEEE:%02X:00.0", (unsigned)visible()[(size_t)number]);
    return ended(NAME(Success));
}

emulated_error NAME(DeviceGetByPCIBusId)(int *number, const char *text)
{
    unsigned bus;
    const std::vector<int> numbers = visible();
    if (sscanf(text, "%*[Ee]:%x", &bus) == 1)
        for (*number = 0; is_device(*number); ++*number)
            if (numbers[(size_t)*number] == (int)bus)
                return ended(NAME(Success));
    return ended(NAME(ErrorInvalidDevice));
}

emulated_error NAME(DeviceGetStreamPriorityRange)(int *lowest, int *highest)
{
    *lowest = 0;
    *highest = -1;
    return ended(NAME(Success));
}

emulated_error NAME(MemGetInfo)(size_t *available, size_t *all)
{
    std::lock_guard hold(device().lock);
    *all = capacity();
    *available = capacity() - device().taken;
    return ended(NAME(Success));
}

emulated_error NAME(Malloc)(void **memory, size_t bytes)
{
    struct device &on = device();
    std::lock_guard hold(on.lock);
    int file = -1;
    void *at =
        on.taken + bytes <= capacity() && bytes > 0 ? make_shared_memory(&file, bytes) : NULL;
    if (!at)
        return ended(NAME(ErrorMemoryAllocation));
    memset(at, RUBBISH, bytes < FILLED ? bytes : FILLED);
    on.taken += bytes;
    on.memory[(char *)at] = {bytes, file, chosen};
    *memory = at;
    return ended(NAME(Success));
}

/* Of memory that is no GPU's and that none knows, the device is -2. */
emulated_error NAME(PointerGetAttributes)(struct NAME_ATTRIBUTES *attributes, const void *memory)
{
    struct device &on = device();
    std::lock_guard hold(on.lock);
    attributes->device = -2;
    for (const auto *in : {&on.memory, &on.pinned, &on.mapped})
        if (const region *found = find(*in, memory))
            attributes->device = found->device;
    return ended(NAME(Success));
}

static bool forget(std::map<char *, region> &in, void *memory, region *was)
{
    std::lock_guard hold(device().lock);
    const auto found = in.find((char *)memory);
    if (found == in.end())
        return false;
    *was = found->second;
    in.erase(found);
    return true;
}

emulated_error NAME(Free)(void *memory)
{
    region was;
    if (!memory)
        return ended(NAME(Success));
    finish_all();
    if (!forget(device().memory, memory, &was))
        return ended(NAME(ErrorInvalidValue));
    munmap(memory, was.bytes);
    close(was.file);
    std::lock_guard hold(device().lock);
    device().taken -= was.bytes;
    return ended(NAME(Success));
}

/* Callers of Free may pass over its errors: what they leave shows here. */
__attribute__((destructor)) static void find_leaks()
{
    if (setting("EMULATED_LEAKS", 0) > 0 && device().taken > 0)
        give_up("its memory is not given back");
}

emulated_error NAME(HostRegister)(void *memory, size_t bytes, unsigned)
{
    std::lock_guard hold(device().lock);
    device().pinned[(char *)memory] = {bytes, -1, chosen};
    return ended(NAME(Success));
}

emulated_error NAME(HostUnregister)(void *memory)
{
    region was;
    return ended(forget(device().pinned, memory, &was) ? NAME(Success) : NAME(ErrorInvalidValue));
}

emulated_error NAME_HOST_ALLOC(void **memory, size_t bytes, unsigned flags)
{
    if (posix_memalign(memory, 4096, bytes) != 0)
        return ended(NAME(ErrorMemoryAllocation));
    memset(*memory, RUBBISH, bytes < FILLED ? bytes : FILLED);
    return NAME(HostRegister)(*memory, bytes, flags);
}

emulated_error NAME_HOST_FREE(void *memory)
{
    finish_all();
    const emulated_error status = NAME(HostUnregister)(memory);
    if (status == NAME(Success))
        free(memory);
    return status;
}

emulated_error NAME(MemsetAsync)(void *to, int value, size_t bytes, NAME(Stream_t) stream)
{
    if (is_foreign(stream))
        return ended(NAME(ErrorInvalidValue));
    add(stream, [=] { memset(to, value, bytes); });
    return ended(NAME(Success));
}

emulated_error NAME(Memset)(void *to, int value, size_t bytes)
{
    return NAME(MemsetAsync)(to, value, bytes, NULL);
}

emulated_error NAME(MemcpyAsync)(void *to, const void *from, size_t bytes, enum NAME(MemcpyKind),
                                 NAME(Stream_t) stream)
{
    return copy(to, bytes, from, bytes, bytes, 1, stream);
}

emulated_error NAME(Memcpy)(void *to, const void *from, size_t bytes, enum NAME(MemcpyKind) kind)
{
    const emulated_error status = NAME(MemcpyAsync)(to, from, bytes, kind, NULL);
    finish(NULL);
    return status;
}

emulated_error NAME(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t pitch,
                                   size_t width, size_t rows, enum NAME(MemcpyKind),
                                   NAME(Stream_t) stream)
{
    return copy(to, to_pitch, from, pitch, width, rows, stream);
}

emulated_error NAME(StreamCreateWithPriority)(NAME(Stream_t) * stream, unsigned, int)
{
    std::lock_guard hold(device().lock);
    device().streams.push_back(*stream = new emulated_stream);
    (*stream)->device = chosen;
    return ended(NAME(Success));
}

/* What it has still to do is done; its last piece tells the device to forget it. */
emulated_error NAME(StreamDestroy)(NAME(Stream_t) stream)
{
    add(stream, [=] { stream->destroyed = true; });
    return ended(NAME(Success));
}

emulated_error NAME(StreamSynchronize)(NAME(Stream_t) stream)
{
    finish(stream);
    return ended(NAME(Success));
}

emulated_error NAME(StreamWaitEvent)(NAME(Stream_t) stream, NAME(Event_t) event, unsigned)
{
    if (!event->foreign || !imitates("events"))
        add(stream, NULL, event->times, event->times->recorded);
    return ended(NAME(Success));
}

emulated_error NAME(EventCreateWithFlags)(NAME(Event_t) * event, unsigned flags)
{
    int file = -1;
    std::shared_ptr<emulated_times> times;
    if (flags & NAME(EventInterprocess) && !(flags & NAME(EventDisableTiming)))
        return ended(NAME(ErrorInvalidValue));
    if (flags & NAME(EventInterprocess)) {
        void *at = make_shared_memory(&file, sizeof(emulated_times));
        if (!at)
            return ended(NAME(ErrorMemoryAllocation));
        times = times_at(at);
    } else {
        times = std::make_shared<emulated_times>();
    }
    *event = new emulated_event{times, flags, file};
    return ended(NAME(Success));
}

emulated_error NAME(EventCreate)(NAME(Event_t) * event)
{
    return NAME(EventCreateWithFlags)(event, 0);
}

/* What is on its way to the event keeps its times. */
emulated_error NAME(EventDestroy)(NAME(Event_t) event)
{
    if (event->file >= 0)
        close(event->file);
    delete event;
    return ended(NAME(Success));
}

emulated_error NAME(EventRecord)(NAME(Event_t) event, NAME(Stream_t) stream)
{
    if (is_foreign(stream))
        return ended(NAME(ErrorInvalidValue));
    const std::shared_ptr<emulated_times> times = event->times;
    const size_t number = ++times->recorded;
    add(stream, [=] {
        times->at =
            std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
        if (times->reached < number) /* one of another stream may have been sooner */
            times->reached = number;
    });
    return ended(NAME(Success));
}

emulated_error NAME(EventQuery)(NAME(Event_t) event)
{
    const bool reached = event->times->reached >= event->times->recorded;
    return ended(reached ? NAME(Success) : NAME(ErrorNotReady));
}

emulated_error NAME(EventSynchronize)(NAME(Event_t) event)
{
    const size_t number = event->times->recorded;
    wait_until([=] { return event->times->reached >= number; });
    return ended(NAME(Success));
}

emulated_error NAME(EventElapsedTime)(float *milliseconds, NAME(Event_t) from, NAME(Event_t) to)
{
    if (from->times->recorded == 0 || to->times->recorded == 0 ||
        (from->flags | to->flags) & NAME(EventDisableTiming))
        return ended(NAME(ErrorInvalidValue));
    if (from->times->reached < from->times->recorded || to->times->reached < to->times->recorded)
        return ended(NAME(ErrorNotReady));
    *milliseconds = (float)(to->times->at - from->times->at) / 1e6f;
    return ended(NAME(Success));
}

emulated_error NAME(FuncSetAttribute)(const void *kernel, enum NAME(FuncAttribute), int value)
{
    if (value > EMULATED_SHARED)
        return ended(NAME(ErrorInvalidValue));
    std::lock_guard hold(device().lock);
    device().allowed[kernel] = (size_t)value;
    return ended(NAME(Success));
}

emulated_error NAME(IpcGetMemHandle)(NAME(IpcMemHandle_t) * handle, void *memory)
{
    std::lock_guard hold(device().lock);
    const region *region = find(device().memory, memory);
    if (!region)
        return ended(NAME(ErrorInvalidValue));
    *handle = {getpid(), region->file, region->bytes};
    return ended(NAME(Success));
}

emulated_error NAME(IpcOpenMemHandle)(void **memory, NAME(IpcMemHandle_t) handle, unsigned)
{
    const int file = open_shared_memory(handle.process, handle.file);
    void *at = file >= 0 ? map_file(file, handle.bytes) : NULL;
    if (file >= 0)
        close(file);
    if (!at)
        return ended(NAME(ErrorInvalidValue));
    std::lock_guard hold(device().lock);
    device().mapped[(char *)at] = {handle.bytes, -1, chosen};
    *memory = at;
    return ended(NAME(Success));
}

emulated_error NAME(IpcCloseMemHandle)(void *memory)
{
    region was;
    finish_all();
    if (!forget(device().mapped, memory, &was))
        return ended(NAME(ErrorInvalidValue));
    munmap(memory, was.bytes);
    return ended(NAME(Success));
}

emulated_error NAME(IpcGetEventHandle)(NAME(IpcEventHandle_t) * handle, NAME(Event_t) event)
{
    if (event->file < 0)
        return ended(NAME(ErrorInvalidValue));
    *handle = {getpid(), event->file, sizeof(emulated_times)};
    return ended(NAME(Success));
}

emulated_error NAME(IpcOpenEventHandle)(NAME(Event_t) * event, NAME(IpcEventHandle_t) handle)
{
    const int file = open_shared_memory(handle.process, handle.file);
    void *at = file >= 0 ? map_file(file, handle.bytes) : NULL;
    if (!at) {
        if (file >= 0)
            close(file);
        return ended(NAME(ErrorInvalidValue));
    }
    *event = new emulated_event{times_at(at), NAME(EventInterprocess) | NAME(EventDisableTiming),
                                file, true};
    return ended(NAME(Success));
}
}
