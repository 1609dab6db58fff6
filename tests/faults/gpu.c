/*
 * Linked into a variant of the command with --wrap: the GPU runtime's functions as the project's
 * own code calls them, any call of which can be made to fail with an error of that number
 * (strike.h). The runtime is a part of the program, where nothing can be preloaded. gpu_calls.h has
 * a line CALL(NAME) for each, and is made from the objects.
 */
#include "strike.h"

#include <errno.h>

#define CALL(name)                                                                                 \
    any_function __real_##name, __wrap_##name;                                                     \
    long __wrap_##name(WORDS)                                                                      \
    {                                                                                              \
        return strike(#name, false, HERE) == PASSES ? __real_##name(PASSED) : errno;               \
    }

#include "gpu_calls.h"
