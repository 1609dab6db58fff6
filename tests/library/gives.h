/* Calls of the library whose status is wanted, and whose error is filled anew before each. */
#ifndef GIVES_H
#define GIVES_H

#include "unit.h"

#include "apsp.h"

#include <string.h>

static struct apsp_error error;

static inline struct apsp_error *fresh(void)
{
    memset(&error, 0xff, sizeof error);
    return &error;
}

/* The status, which the error has too. */
#define GIVES(call, status)                                                                        \
    do {                                                                                           \
        if ((call) != (status))                                                                    \
            fail_msg("%s: %d, %s", #call, error.code, error.text);                                 \
        assert_int_equal(error.code, (status));                                                    \
    } while (0)

/* The status, and a word of the error's text. */
#define FAILS(call, status, word)                                                                  \
    do {                                                                                           \
        GIVES(call, status);                                                                       \
        if (!strstr(error.text, (word)))                                                           \
            fail_msg("'%s' is not in: %s", (word), error.text);                                    \
    } while (0)

#endif
