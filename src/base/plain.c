#include "base/plain.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The C library has one such object, which every call gets. */
locale_t plain_locale(void)
{
    static _Atomic(locale_t) known;
    locale_t plain = atomic_load(&known);
    if (!plain) {
        plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        atomic_store(&known, plain);
    }
    return plain;
}

double plain_double(const char *text, char **end)
{
    return strtod_l(text, end, plain_locale());
}

int plain_print(char *text, size_t room, const char *format, ...)
{
    va_list arguments;
    const locale_t before = uselocale(plain_locale());
    va_start(arguments, format);
    const int length = vsnprintf(text, room, format, arguments);
    va_end(arguments);
    uselocale(before);
    return length;
}
