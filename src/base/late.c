#include "base/late.h"

#include <dlfcn.h>
#include <pthread.h>
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

/* The pointers are written once: other threads may be calling through them. */
static bool find_symbols(const struct late *late)
{
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    void *library = open_library(late->library);
    bool found = library != NULL;
    for (size_t i = 0; late->symbols[i] && found; i++) {
        void *symbol = dlsym(library, late->symbols[i]);
        char *to = (char *)late->functions + i * sizeof symbol;
        found = symbol != NULL;
        if (found && memcmp(to, &symbol, sizeof symbol) != 0)
            memcpy(to, &symbol, sizeof symbol);
    }
    pthread_mutex_unlock(&once);
    return found;
}

int late_load(const struct late *late, const char *path, const char *what, struct apsp_error *error)
{
    if (!late->functions)
        return error_set(
            error, APSP_IO,
            "%s: is %s, which this program was built without: build it with the package %s, or "
            "convert the file",
            path, what, late->headers);
    if (!find_symbols(late))
        return error_set(error, APSP_IO,
                         "%s: is %s, for which the library %.*s is needed: install the package %s",
                         path, what, (int)strcspn(late->library, " "), late->library,
                         late->package);
    return APSP_OK;
}
