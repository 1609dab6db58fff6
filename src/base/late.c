#include "base/late.h"

#include <dlfcn.h>
#include <string.h>

/* Stays open. */
static void *open_library(const char *names)
{
    char name[64];
    void *library = NULL;
    for (size_t length; !library && *names; names += length, names += *names == ' ') {
        length = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

int late_load(const struct late *late, const char *path, const char *what, struct apsp_error *error)
{
    if (!late->functions)
        return error_set(
            error, APSP_IO,
            "%s: is %s, which this program was built without: build it with the package %s, or "
            "convert the file",
            path, what, late->headers);
    void *library = open_library(late->library);
    for (size_t i = 0; late->symbols[i]; i++) {
        void *symbol = library ? dlsym(library, late->symbols[i]) : NULL;
        if (!symbol)
            return error_set(
                error, APSP_IO,
                "%s: is %s, for which the library %.*s is needed: install the package %s", path,
                what, (int)strcspn(late->library, " "), late->library, late->package);
        memcpy((char *)late->functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return APSP_OK;
}
