/* Which backend runs, and on which GPU. */
#ifndef DEVICE_H
#define DEVICE_H

#include "comm/comm.h"
#include "dense/backend.h"

enum { DEVICE_PLACE = 32 };

struct device {
    const struct backend_ops *ops;
    int number;               /* of the GPU among those that this process sees */
    char place[DEVICE_PLACE]; /* its PCI address; "" for the CPU */
};

/*
 * Collective. All ranks get the same backend: a GPU each where there are any and the options allow, else the
 * CPU. APSP_DEVICE when a GPU is asked for and there is none, when only some ranks have one, and when ranks
 * would share one without --share-gpus. The GPU begins to start in the background.
 */
int device_choose(struct device *device, struct comm *comm, const struct apsp_options *options,
                  struct apsp_error *error);

#endif
