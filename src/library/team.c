#include "library/team.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct team {
    struct comm_team *threads;
    struct apsp_solution *own, *others; /* of rank 0; of ranks 1 and on */
    int ranks, teammates;               /* teammates: ranks that have said who they are */
    int omp_threads;                    /* of the caller, for each rank */
    pid_t process;
    pthread_mutex_t lock; /* for the rest */
    pthread_cond_t asked, answered;
    library_rank *ask; /* of the question in hand; NULL: the ranks are to end */
    void *question;
    size_t number; /* of the question */
    int busy;      /* ranks that have not answered it */
};

/* The next question, after that of this number; false: there are no more. */
static bool hear(struct team *team, size_t *number, library_rank **ask, void **question)
{
    pthread_mutex_lock(&team->lock);
    while (team->number == *number)
        pthread_cond_wait(&team->asked, &team->lock);
    *number = team->number;
    *ask = team->ask;
    *question = team->question;
    pthread_mutex_unlock(&team->lock);
    return *ask != NULL;
}

static void attend(void *self)
{
    struct team *team = self;
    library_rank *ask;
    void *question;
    size_t number = 0;
    pthread_mutex_lock(&team->lock);
    struct apsp_solution *solution = &team->others[team->teammates++];
    pthread_mutex_unlock(&team->lock);
    solution->team = team;
    solution->aside = true;
    omp_set_num_threads(team->omp_threads);
    while (hear(team, &number, &ask, &question)) {
        struct apsp_error error = {0}; /* that of rank 0 as well */
        ask(solution, question, &error);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0)
            pthread_cond_signal(&team->answered);
        pthread_mutex_unlock(&team->lock);
    }
}

static void free_team(struct team *team)
{
    pthread_cond_destroy(&team->answered);
    pthread_cond_destroy(&team->asked);
    pthread_mutex_destroy(&team->lock);
    free(team->others);
    free(team);
}

int team_open(struct team **out, int ranks, struct apsp_solution *own, struct apsp_error *error)
{
    struct team *team = calloc(1, sizeof *team);
    *out = NULL;
    if (!team)
        return error_set(error, APSP_MEMORY, "no memory for %d ranks", ranks);
    team->own = own;
    team->ranks = ranks;
    team->process = getpid();
    team->omp_threads = omp_get_max_threads();
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->asked, NULL);
    pthread_cond_init(&team->answered, NULL);
    team->others = calloc((size_t)ranks - 1, sizeof *team->others);
    if (!team->others)
        error_set(error, APSP_MEMORY, "no memory for %d ranks", ranks);
    if (error->code || comm_team_open(&team->threads, ranks, attend, team, error)) {
        free_team(team);
        return error->code;
    }
    *out = team;
    return APSP_OK;
}

/* To all ranks but the caller's. */
static void tell(struct team *team, library_rank *ask, void *question)
{
    pthread_mutex_lock(&team->lock);
    team->ask = ask;
    team->question = question;
    team->number++;
    team->busy = team->ranks - 1;
    pthread_cond_broadcast(&team->asked);
    pthread_mutex_unlock(&team->lock);
}

int team_ask(struct team *team, library_rank *ask, void *question, struct apsp_error *error)
{
    if (team->process != getpid())
        return error_set(error, APSP_PEER,
                         "the ranks of the solution are threads of process %ld, which has made it",
                         (long)team->process);
    tell(team, ask, question);
    comm_team_enter(team->threads);
    ask(team->own, question, error);
    comm_team_leave(team->threads);
    pthread_mutex_lock(&team->lock);
    while (team->busy > 0)
        pthread_cond_wait(&team->answered, &team->lock);
    pthread_mutex_unlock(&team->lock);
    return error->code;
}

void team_close(struct team *team)
{
    if (!team || team->process != getpid())
        return;
    tell(team, NULL, NULL);
    comm_team_close(team->threads);
    free_team(team);
}
