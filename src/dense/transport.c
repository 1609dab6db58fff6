#include "dense/transport.h"

#include "base/setting.h"
#include "base/words.h"

#include <string.h>

extern const struct transport_ops transport_peer, transport_direct, transport_mpi, transport_host;

/* In the order of preference. */
static const struct transport_ops *const table[] = {
#ifdef APSP_GPU
    &transport_peer,
#endif
    &transport_direct,
    &transport_mpi,
    &transport_host,
};
enum { TRANSPORTS = sizeof table / sizeof *table };

const char *transport_names(void)
{
    static _Thread_local char names[8 * TRANSPORTS];
    names[0] = '\0';
    for (int i = 0; i < TRANSPORTS; i++) {
        strcat(names, i > 0 ? ", " : "");
        strcat(names, table[i]->name);
    }
    return names;
}

/* Whether that transport is asked for, or any. */
static bool is_wanted(const struct transport_ops *ops, const char *name)
{
    return !name || strcmp(name, "auto") == 0 || strcmp(name, ops->name) == 0;
}

int transport_check(const char *name, struct apsp_error *error)
{
    for (int i = 0; i < TRANSPORTS; i++)
        if (is_wanted(table[i], name))
            return APSP_OK;
    return words_refuse(error, SETTING(TRANSPORT), name, "auto", transport_names());
}

/* Whether every rank can use it; otherwise the first refusal becomes the error. */
static bool is_usable(const struct transport_ops *ops, struct comm *comm,
                      const struct backend_ops *backend, const struct backend_plan *plan,
                      struct apsp_error *error)
{
    const char *reason = ops->refuse(comm, backend, plan);
    *error = (struct apsp_error){0};
    if (reason)
        error_set(error, APSP_PEER, "transport %s: %s (rank %d on %s)", ops->name, reason,
                  comm->rank, comm->host);
    return comm_agree(comm, error) == APSP_OK;
}

int transport_choose(const struct transport_ops **chosen, const char *name, struct comm *comm,
                     const struct backend_ops *backend, const struct backend_plan *plan,
                     struct apsp_error *error)
{
    struct apsp_error refusal = {0};
    *chosen = NULL;
    transport_check(name, error);
    if (comm_agree(comm, error) || comm->ranks == 1)
        return error->code;
    for (int i = 0; i < TRANSPORTS; i++)
        if (is_wanted(table[i], name) && is_usable(table[i], comm, backend, plan, &refusal)) {
            *chosen = table[i];
            return APSP_OK;
        }
    *error = refusal;
    return error->code;
}

int transport_open(struct transport *transport, const struct transport_ops *ops, struct comm *comm,
                   struct backend *backend, struct apsp_error *error)
{
    *transport = (struct transport){.ops = ops};
    if (ops)
        transport->state = ops->open(comm, backend);
    if (ops && !transport->state)
        error_set(error, APSP_MEMORY, "no memory for transport %s on %s", ops->name, comm->host);
    return comm_agree(comm, error);
}

void transport_free(struct transport *transport)
{
    if (transport->state)
        transport->ops->free(transport->state);
    *transport = (struct transport){0};
}

size_t transport_need(const struct transport_ops *ops, const struct comm *comm,
                      const struct backend_plan *plan)
{
    return ops ? ops->need(comm, plan) : 0;
}
