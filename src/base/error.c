#include "base/error.h"

#include "base/plain.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A message that is too long loses its middle: it begins with a name, of up to 4,096 bytes, and
 * ends with the cause. */
static void shorten(char *to, size_t room, const char *text)
{
    static const char gap[] = " ... ";
    size_t length = strlen(text), start = room / 3, end = room - start - sizeof gap;
    if (length < room) {
        strcpy(to, text);
        return;
    }
    memcpy(to, text, start);
    stpcpy(stpcpy(to + start, gap), text + length - end);
}

int error_set(struct apsp_error *error, enum apsp_status code, const char *format, ...)
{
    if (error->code == APSP_OK) {
        va_list arguments, again;
        char *whole;
        const locale_t before = uselocale(plain_locale());
        va_start(arguments, format);
        va_copy(again, arguments);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        if (vasprintf(&whole, format, again) >= 0) {
            shorten(error->text, sizeof error->text, whole);
            free(whole);
        }
        va_end(again);
        va_end(arguments);
        uselocale(before);
        text_clean(error->text); /* file names may hold anything, a message is one line */
        error->code = code;
    }
    return error->code;
}

enum apsp_status error_status(int cause)
{
    return cause == ENOMEM ? APSP_MEMORY : APSP_IO;
}
