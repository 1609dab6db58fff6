/* Numbers as text that do not depend on the locale of the process, which is the caller's: the
 * decimal point is a point. */
#ifndef PLAIN_H
#define PLAIN_H

#include <locale.h>
#include <stddef.h>

/* The C locale, for uselocale. It stays. */
locale_t plain_locale(void);

/* As strtod and snprintf in the C locale. */
double plain_double(const char *text, char **end);
int plain_print(char *text, size_t room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
