#include "dense/device.h"
#include "base/fault.h"

#include <stdlib.h>
#include <string.h>

#ifdef APSP_GPU

/* Ranks of this machine on the same GPU. */
static int count_sharers(struct comm *comm, const struct device *device)
{
    int sharers = 0;
    char *all = calloc((size_t)comm->machine_ranks, DEVICE_PLACE);
    if (!all)
        fault(APSP_MEMORY, "no memory for the map of GPUs");
    comm_machine_allgather(comm, device->place, DEVICE_PLACE, all);
    for (int i = 0; i < comm->machine_ranks; i++)
        sharers += strcmp(all + (size_t)i * DEVICE_PLACE, device->place) == 0;
    free(all);
    return sharers;
}

static int take_gpu(struct device *device, struct comm *comm, int visible, bool share,
                    struct apsp_error *error)
{
    device->ops = &backend_gpu;
    device->number = comm->machine_rank % visible;
    if (!backend_gpu.locate(device->number, device->place, sizeof device->place))
        error_set(error, APSP_DEVICE, "GPU %d on %s does not answer", device->number, comm->host);
    if (comm_agree(comm, error))
        return error->code;
    int sharers = count_sharers(comm, device);
    if (sharers > 1 && !share)
        error_set(error, APSP_DEVICE,
                  "%d ranks on %s would share GPU %s: start a rank for each GPU, or use --share-gpus, or "
                  "--device cpu",
                  sharers, comm->host, device->place);
    if (comm_agree(comm, error))
        return error->code;
    backend_gpu.start(device->number);
    return APSP_OK;
}

int device_choose(struct device *device, struct comm *comm, const struct apsp_options *options,
                  struct apsp_error *error)
{
    *device = (struct device){.ops = &backend_cpu};
    if (options->device == APSP_DEVICE_CPU)
        return APSP_OK;
    int visible = backend_gpu.devices();
    size_t without = comm_sum(comm, visible == 0);
    if (without == 0)
        return take_gpu(device, comm, visible, options->share_gpus, error);
    if (options->device == APSP_DEVICE_GPU && visible == 0)
        error_set(error, APSP_DEVICE, "a GPU is asked for, but rank %d on %s sees none", comm->rank,
                  comm->host);
    else if (without < (size_t)comm->ranks && visible == 0)
        error_set(error, APSP_DEVICE,
                  "rank %d on %s sees no GPU, but other ranks do: use --device cpu for all", comm->rank,
                  comm->host);
    return comm_agree(comm, error);
}

#else

int device_choose(struct device *device, struct comm *comm, const struct apsp_options *options,
                  struct apsp_error *error)
{
    (void)comm;
    *device = (struct device){.ops = &backend_cpu};
    if (options->device != APSP_DEVICE_GPU)
        return APSP_OK;
    return error_set(error, APSP_DEVICE,
                     "a GPU is asked for, but this program is built without (make GPU=cuda or GPU=hip)");
}

#endif
