/*
 * Distances from many sources at once by correcting labels on a GPU, as corrector.h has them on
 * cores: a vertex has a row of labels, one for each source, and pulls shorter ones from
 * in-neighbours whose rows have changed in the pass before, in place. A label is never below the
 * right one, so it does not matter which of two values a reader meets. All pointers are device
 * memory; functions enqueue and return. Passes after the last do nothing.
 */
#ifndef SSSP_GPU_LABELS_H
#define SSSP_GPU_LABELS_H

#include "sssp/gpu/network.h"

extern "C" {
#include "base/algebra.h"
}

enum { GPU_LABELS_ROW = 256 }; /* bytes */

/* By source: the vertices that it reaches, and of their distances the sum and the most. */
struct gpu_label_counts {
    unsigned long long sum[GPU_LABELS_ROW / 2];
    uint32_t reached[GPU_LABELS_ROW / 2], most[GPU_LABELS_ROW / 2];
};

struct gpu_labels {
    struct gpu_arcs arcs;
    uint32_t count;
    const uint32_t *source; /* New numbers, which are different ones. */
    void *rows;
    uint32_t *set[3];      /* Vertices changed by the last pass, by this pass, and a set to be */
                           /* cleared. The word behind each has their least bound (labels.cu). */
    const int32_t *offset; /* Offsets of sources, for bounds (labels.cu). */
    int32_t *least, *most; /* Bounds of each vertex's labels. */
    uint32_t *alive; /* Whether pass k of the chunk has changed anything; cleared before it. */
    struct gpu_label_counts *counts;
};

void gpu_labels_begin(const struct gpu_labels *labels, enum dtype dtype, int processors,
                      gpuStream_t stream);
/* Parts of a path combine so. */
void gpu_labels_pass(struct gpu_labels *labels, enum dtype dtype, enum combine combine, uint32_t k,
                     int processors, gpuStream_t stream);
/* After the last pass. The labels are of u16 or i32. */
void gpu_labels_count(const struct gpu_labels *labels, enum dtype dtype, int processors,
                      gpuStream_t stream);

#endif
