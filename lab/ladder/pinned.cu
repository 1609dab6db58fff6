/*
 * Step 17: input and result in pinned host memory, from which the device copies by itself at the
 * bus's speed; other memory the driver copies twice. It shows in the column with copies. The file
 * is read as the steps before would have: an edge at a time.
 */
#include "pinned.cuh"

struct lab_step ladder_pinned = {"pinned host memory", NULL, true, pinned_run<input_by_edges>};
