#include "solve/tell.h"

#include "base/stop.h"

bool solver_tell(void *self, const char *step, size_t done, size_t steps)
{
    const struct request *request = &((const struct solver *)self)->request;
    return !stop_wanted() &&
           (!request->tell || request->tell(request->listener, step, done, steps) == 0);
}

bool solver_tell_together(void *self, const char *step, size_t done, size_t steps)
{
    struct comm *comm = ((struct solver *)self)->comm;
    return comm_sum(comm, !solver_tell(self, step, done, steps)) == 0;
}

int solver_save_rows(struct solver *solver, struct apsp_error *error)
{
    const struct engine_report *report = &solver->report;
    return checkpoint_rows_save(&solver->saved, report->kept, report->kept_bytes, error);
}
