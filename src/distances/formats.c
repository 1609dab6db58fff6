/* The table of the formats of distances: a new one is a file that defines it, and two lines here.
 */
#include "distances/format.h"

extern const struct distances_format distances_npy, distances_npz, distances_hdf5, distances_mtx,
    distances_pairs, distances_table, distances_raw;

const struct distances_format *const distances_formats[] = {
    &distances_npy,   &distances_npz,   &distances_hdf5, &distances_mtx,
    &distances_pairs, &distances_table, &distances_raw,  NULL};
