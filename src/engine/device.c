#include "engine/device.h"

#include "base/setting.h"

#include <stdlib.h>
#include <string.h>

/* Ranks of this machine on the same device. Without memory for a map it is an error. */
static int count_sharers(struct comm *comm, const struct device *device, struct apsp_error *error)
{
    int sharers = 0;
    if (comm->ranks == 1)
        return 1;
    char *all = calloc((size_t)comm->machine_ranks, DEVICE_PLACE);
    if (comm_sum(comm, !all) > 0) {
        free(all);
        error_set(error, APSP_MEMORY, "no memory for the map of devices");
        return 1;
    }
    comm_machine_allgather(comm, device->place, DEVICE_PLACE, all);
    for (int i = 0; i < comm->machine_ranks; i++)
        sharers += strcmp(all + (size_t)i * DEVICE_PLACE, device->place) == 0;
    free(all);
    return sharers;
}

/* One of `visible` devices for each rank. */
static int take(struct device *device, struct comm *comm, int visible, bool share,
                struct apsp_error *error)
{
    const char *title = device->ops->title;
    device->number = comm->machine_rank % visible;
    if (!device->ops->locate(device->number, device->place, sizeof device->place))
        error_set(error, APSP_DEVICE, "%s %d on %s does not answer", title, device->number,
                  comm->host);
    if (comm_agree(comm, error))
        return error->code;
    const int sharers = count_sharers(comm, device, error);
    if (sharers > 1 && !share && *device->place)
        error_set(error, APSP_DEVICE,
                  "%d ranks on %s would share %s %s: start a rank for each %s, or use %s, or %s",
                  sharers, comm->host, title, device->place, title, SETTING(SHARE_GPUS),
                  SETTING(DEVICE_CPU));
    if (comm_agree(comm, error) == APSP_OK)
        device->ops->start(device->number);
    return error->code;
}

/* The row of devices[] that is asked for by name; NULL: not in this program. */
static const struct device_ops *find(const char *name)
{
    const struct device_ops *const *row = devices;
    while (*row && strcmp((*row)->name, name) != 0)
        row++;
    return *row;
}

void device_look(enum apsp_device kind)
{
    for (const struct device_ops *const *row = devices; *row; row++)
        if ((*row)->look && kind != APSP_DEVICE_CPU)
            (*row)->look();
}

void device_settle(enum apsp_device kind)
{
    for (const struct device_ops *const *row = devices; *row; row++)
        if ((*row)->look && kind != APSP_DEVICE_CPU)
            (void)(*row)->count();
}

static int take_named(struct device *device, struct comm *comm,
                      const struct device_request *request, struct apsp_error *error)
{
    static const char *const names[] = {[APSP_DEVICE_CPU] = "cpu", [APSP_DEVICE_GPU] = "gpu"};
    int visible = 0;
    device->ops = find(names[request->kind]);
    if (!device->ops)
        error_set(
            error, APSP_DEVICE,
            "a GPU is requested, but this program is built without GPU support; make GPU=cuda "
            "or GPU=hip builds a program that has it");
    else if ((visible = device->ops->count()) == 0)
        error_set(error, APSP_DEVICE,
                  "a %s is requested, but rank %d on %s sees none; %s runs without one",
                  device->ops->title, comm->rank, comm->host, SETTING(DEVICE_CPU));
    if (comm_agree(comm, error))
        return error->code;
    return take(device, comm, visible, request->share, error);
}

int device_choose(struct device *device, struct comm *comm, const struct device_request *request,
                  struct apsp_error *error)
{
    *device = (struct device){0};
    if (request->kind != APSP_DEVICE_AUTO)
        return take_named(device, comm, request, error);
    for (const struct device_ops *const *row = devices; *row; row++) {
        int visible = (*row)->count();
        size_t without = comm_sum(comm, visible == 0);
        device->ops = *row;
        if (without == 0)
            return take(device, comm, visible, request->share, error);
        if (without < (size_t)comm->ranks && visible == 0)
            error_set(error, APSP_DEVICE,
                      "rank %d on %s sees no %s, but other ranks do: use %s for all", comm->rank,
                      comm->host, (*row)->title, SETTING(DEVICE_CPU));
        if (comm_agree(comm, error))
            return error->code;
    }
    return error_set(error, APSP_DEVICE, "no device");
}
