/* Stand-ins for dense/transport.h and job/engines.h until they name their rows. */
#ifndef NAMES_PLACEHOLDER_H
#define NAMES_PLACEHOLDER_H

const char *transport_names(void);
const char *engine_names(void);

#endif
