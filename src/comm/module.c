/*
 * Finds and loads the module that holds MPI. The places, in order:
 * - the file $APSP_MPI_MODULE
 * - the folder of the program or library that this code is in
 * - ../lib/apsp of that folder, which is PREFIX/lib/apsp for PREFIX/bin and PREFIX/lib64
 * - ../apsp, for folders below PREFIX/lib
 * - where the system looks
 * The module is never unloaded, since Open MPI cannot be. Its symbols are global, since Open MPI's
 * own plugins look for them.
 */
#include "comm/ops.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the file that this code is in, or "". The program itself has no name there. */
static void find_home(char home[PATH_MAX])
{
    static const char anchor;
    Dl_info info;
    struct link_map *map = NULL;
    ssize_t length = 0;
    home[0] = '\0';
    if (dladdr1(&anchor, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || !map)
        return;
    if (map->l_name[0])
        length = realpath(map->l_name, home) ? (ssize_t)strlen(home) : 0;
    else
        length = readlink("/proc/self/exe", home, PATH_MAX - 1);
    home[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(home, '/');
    *(slash ? slash : home) = '\0';
}

/* The file that is named, whatever it is, or the first of the places where there is one. */
static void find_module(char path[PATH_MAX])
{
    static const char *const places[] = {"%s/" COMM_MODULE_FILE, "%s/../lib/apsp/" COMM_MODULE_FILE,
                                         "%s/../apsp/" COMM_MODULE_FILE};
    const char *named = getenv("APSP_MPI_MODULE");
    char home[PATH_MAX];
    if (named && named[0]) {
        snprintf(path, PATH_MAX, "%s", named);
        return;
    }
    find_home(home);
    for (size_t i = 0; home[0] && i < sizeof places / sizeof *places; i++) {
        int length = snprintf(path, PATH_MAX, places[i], home);
        if (length < PATH_MAX && access(path, R_OK) == 0)
            return;
    }
    strcpy(path, COMM_MODULE_FILE);
}

const struct comm_module *module_load(struct apsp_error *error)
{
    static const struct comm_module *loaded;
    char path[PATH_MAX];
    if (loaded)
        return loaded;
    find_module(path);
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const struct comm_module *module = handle ? dlsym(handle, COMM_MODULE_SYMBOL) : NULL;
    if (!module)
        error_set(error, APSP_PEER, "MPI cannot be loaded: %s%s", dlerror(),
                  strchr(path, '/') ? "" : "; Debian has it in the package apsp-mpi");
    else if (module->version != COMM_MODULE_VERSION)
        error_set(error, APSP_PEER, "MPI cannot be loaded: %s is of another version of apsp", path);
    else
        loaded = module;
    return loaded;
}
