/* Numbers of threads and processors: OpenMP's setting, quotas, and what the machine has. */
#ifndef THREADS_H
#define THREADS_H

/* For one process: OMP_NUM_THREADS, but no more than the processors that it may use.
 */
int threads_default(void);

/* No more than OMP_NUM_THREADS where that is set, for a process whose cores are chosen otherwise;
 * else INT_MAX. */
int threads_most(void);

/* Processors that the quotas of control groups leave to this process and its neighbours in them, as
 * the process first found them; INT_MAX without any. */
int threads_quota(void);

/* Processors of the machine, as the process first found them; at least one. */
int threads_machine(void);

/* Ranks that may be threads of this process at most. Hundreds of them on a few processors would
 * bring the machine to a standstill. */
int threads_ranks(void);

#endif
