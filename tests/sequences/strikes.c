/*
 * Linked with --wrap: an allocation of the library's own fails, or a loop of it that looks whether
 * it is to stop is told so. Both are counted from the beginning of a call, so that a sequence meets
 * them at the same place each time.
 */
#include "base/stop.h"
#include "sequences.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_long allocations, looks; /* that are left until the one that is struck; 0: none is */

static bool strikes_now(atomic_long *left)
{
    return atomic_load(left) > 0 && atomic_fetch_sub(left, 1) == 1;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t boundary, size_t bytes);
int __real_stop_check(struct apsp_error *error);
bool __real_stop_wanted(void);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t boundary, size_t bytes);
int __wrap_stop_check(struct apsp_error *error);
bool __wrap_stop_wanted(void);

void *__wrap_malloc(size_t bytes)
{
    return strikes_now(&allocations) ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return strikes_now(&allocations) ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return strikes_now(&allocations) ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t boundary, size_t bytes)
{
    return strikes_now(&allocations) ? NULL : __real_aligned_alloc(boundary, bytes);
}

int __wrap_stop_check(struct apsp_error *error)
{
    if (strikes_now(&looks))
        apsp_cancel();
    return __real_stop_check(error);
}

bool __wrap_stop_wanted(void)
{
    if (strikes_now(&looks))
        apsp_cancel();
    return __real_stop_wanted();
}

void strikes_begin(struct question *question)
{
    const bool mine = question->struck == (uint32_t)rank;
    memset(&question->error, 0xff, sizeof question->error);
    allocations = mine && question->twist == TWIST_MEMORY ? question->strike : 0;
    looks = mine && question->twist == TWIST_CANCEL ? question->strike : 0;
}

int strikes_end(struct question *question, int status)
{
    const struct apsp_error *error = &question->error;
    allocations = looks = 0;
    if (error->code != status || (error->text[0] == '\0') != (status == APSP_OK) ||
        !memchr(error->text, '\0', sizeof error->text))
        wrong(question, "status %d beside an error of code %d", status, error->code);
    return status;
}
