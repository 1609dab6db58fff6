/* The strip of a backend as checkpoints have it (engine/checkpoint_matrix.h): raw, between two
 * rounds. */
#ifndef DENSE_STATE_H
#define DENSE_STATE_H

#include "dense/backend.h"
#include "engine/checkpoint_matrix.h"

/* Bytes of a buffer, from the device's host_alloc, by way of which rows go; 0: there is no need of
 * one. */
size_t state_buffer(const struct backend_ops *ops, const struct backend_plan *plan);

/* With that, all that checkpoints take. */
size_t state_need(const struct backend_ops *ops, const struct backend_plan *plan);

struct checkpoint_strip state_strip(struct backend *backend, void *buffer);

#endif
