/* The device that a rank computes on. */
#ifndef ENGINE_DEVICE_H
#define ENGINE_DEVICE_H

#include "comm/comm.h"
#include "kernels/device.h"

enum { DEVICE_PLACE = 32 };

struct device {
    const struct device_ops *ops;
    int number;               /* among those that this process sees */
    char place[DEVICE_PLACE]; /* its PCI address; "" for the CPU */
};

struct device_request {
    enum apsp_device kind;
    bool share; /* several ranks may use one */
};

/* Begins to look for devices of that kind in the background, and waits until that has ended:
 * device_choose will take less time. Local. */
void device_look(enum apsp_device kind);
void device_settle(enum apsp_device kind);

/*
 * Collective; ends in agreement. All ranks get a device of the same kind: the first of devices[]
 * that every rank has and the request allows. APSP_DEVICE when there is none of the kind that is
 * asked for, when only some ranks have one, and when ranks would share one that they may not share.
 * The device begins to start in the background.
 */
int device_choose(struct device *device, struct comm *comm, const struct device_request *request,
                  struct apsp_error *error);

#endif
