/*
 * Phase 3 of course.cuh with pivot tiles of B x B. What it does for each of the (n / B)^3 tiles is
 * counted from its accesses: 2 B^3 integer operations (addition and minimum); both pivot tiles and
 * the tile itself, 3 B^2 words, from the device's memory (or its cache), and B^2 back; 2 B^2 words
 * into shared memory, and for every k a word for each row and for each column of values that a
 * thread has out of it. A word that a whole warp wants is counted for each thread.
 */
#include "../course.cuh"
#include "factor.h"

namespace
{
template <int B, int TX, int TY>
enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    using step = course<B, TX, TY>;
    struct blocked_parts parts = {};
    enum lab_outcome outcome = blocked_run<step>(problem, run, &parts);
    if (outcome != LAB_DONE)
        return outcome;
    const double side = (double)((problem->n + B - 1) / B), tiles = side * (side - 1) * (side - 1);
    const double per = tiles / parts.phase[2] / 1e9, word = sizeof(int), square = (double)B * B;
    run->column[5] = run->occupancy;
    run->column[0] = per * 2 * square * B;
    run->column[1] = per * 3 * square * word;
    run->column[2] = per * square * word;
    run->column[3] = per * square * (TX + TY) * word;
    run->column[4] = per * 2 * square * word;
    return outcome;
}
} // namespace

#define ROW(b, tx, ty)                                                                             \
    {                                                                                              \
#b ", " #tx " x " #ty " threads", NULL, true, run < b, tx, ty>                             \
    }
struct lab_step factor_steps[] = {
    ROW(8, 8, 8),    ROW(16, 16, 16),  ROW(16, 16, 8),  ROW(32, 32, 32), ROW(32, 32, 8),
    ROW(48, 48, 16), ROW(48, 16, 16),  ROW(64, 32, 32), ROW(64, 32, 16), ROW(64, 32, 8),
    ROW(78, 39, 26), ROW(78, 39, 13),  ROW(78, 26, 26), ROW(96, 32, 32), ROW(96, 32, 16),
    ROW(96, 32, 8),  ROW(128, 32, 32), ROW(128, 32, 16)};
const int factor_count = sizeof factor_steps / sizeof *factor_steps;
