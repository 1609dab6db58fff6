/* A folder for the files of a unit test on several ranks, of which rank 0 alone reports. */
#ifndef SHARED_FOLDER_H
#define SHARED_FOLDER_H

#include "comm/comm.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char folder[64];

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

/* Collective, as the other. */
static void make_shared_folder(struct comm *comm, const char *name)
{
    const char *place = getenv("TMPDIR");
    if (comm->rank == 0) {
        snprintf(folder, sizeof folder, "%.40s/apsp-%s-XXXXXX", place ? place : "/tmp", name);
        assert_non_null(mkdtemp(folder));
    } else if (!comm->threads) {
        assert_non_null(freopen("/dev/null", "w", stdout));
    }
    comm_broadcast(comm, folder, sizeof folder, 0);
}

static void remove_shared_folder(struct comm *comm)
{
    comm_barrier(comm);
    if (comm->rank == 0)
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
