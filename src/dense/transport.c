#include "dense/transport.h"

#include <string.h>

extern const struct transport_ops transport_peer, transport_mpi, transport_host;

/* In the order of preference. */
static const struct transport_ops *const table[] = {
#ifdef APSP_GPU
    &transport_peer,
#endif
    &transport_mpi,
    &transport_host,
};
enum { TRANSPORTS = sizeof table / sizeof *table };

static void names(char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < TRANSPORTS; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", table[i]->name);
}

int transport_check(const char *name, struct apsp_error *error)
{
    char list[128];
    if (!name || strcmp(name, "auto") == 0)
        return APSP_OK;
    for (int i = 0; i < TRANSPORTS; i++)
        if (strcmp(name, table[i]->name) == 0)
            return APSP_OK;
    names(list, sizeof list);
    return error_set(error, APSP_USAGE, "--transport %s: not one of auto, %s", name, list);
}

/* Whether every rank can use it; otherwise the first refusal becomes the error. */
static bool is_usable(const struct transport_ops *ops, struct comm *comm, const struct backend *backend,
                      struct apsp_error *error)
{
    const char *reason = ops->refuse(comm, backend);
    if (reason)
        error_set(error, APSP_PEER, "transport %s: %s (rank %d on %s)", ops->name, reason, comm->rank,
                  comm->host);
    return comm_agree(comm, error) == APSP_OK;
}

int transport_open(struct transport *transport, const char *name, struct comm *comm, struct backend *backend,
                   struct apsp_error *error)
{
    bool forced = name && strcmp(name, "auto") != 0;
    struct apsp_error refusal = {0};
    for (int i = 0; i < TRANSPORTS; i++) {
        if (forced && strcmp(name, table[i]->name) != 0)
            continue;
        refusal = (struct apsp_error){0};
        if (!is_usable(table[i], comm, backend, &refusal))
            continue;
        transport->ops = table[i];
        transport->state = table[i]->open(comm, backend);
        if (!transport->state)
            error_set(error, APSP_MEMORY, "no memory for transport %s on %s", table[i]->name, comm->host);
        return comm_agree(comm, error);
    }
    if (refusal.code) {
        *error = refusal;
        return error->code;
    }
    return transport_check(name, error);
}

void transport_free(struct transport *transport)
{
    if (transport->state)
        transport->ops->free(transport->state);
    *transport = (struct transport){0};
}
