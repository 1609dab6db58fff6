#include "cli/names_placeholder.h"

const char *transport_names(void)
{
    return "peer, mpi, host";
}

const char *engine_names(void)
{
    return "dense";
}
