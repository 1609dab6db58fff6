"""What fails, how, and what is to come of it: the table of the calls of interpose.c."""

import re
from errno import (EACCES, EAGAIN, ECHILD, EINTR, EINVAL, EIO, EMFILE, ENOENT, ENOLCK, ENOMEM,
                   ENOSPC, ENOSYS, EOPNOTSUPP, EPERM, ETIMEDOUT)

HALF = 0  # half of the bytes are transferred

MEMORY, FILES, DEVICE, PEER = 4, 5, 6, 7
GPU_MEMORY, GPU_UNKNOWN = 2, 999  # errors of CUDA and of HIP


class Call:
    """causes: what is tried, each an errno or HALF; codes: the exit codes allowed; passes: causes
    after which the run is whole; word: what the line names, None: what strerror says."""

    def __init__(self, group, codes, causes, passes=(), word=None):
        self.group, self.codes, self.causes = group, codes, causes
        self.passes, self.word = passes, word


def _table():
    table = {}

    def add(names, *call, **more):
        for name in names.split():
            table[name] = Call(*call, **more)

    memory = ('malloc calloc realloc aligned_alloc strdup strndup asprintf vasprintf fopencookie '
              'open_memstream')
    json = (
        'CreateObject CreateString AddArrayToObject AddBoolToObject AddNullToObject '
        'AddNumberToObject AddObjectToObject '
        'AddRawToObject AddStringToObject Print ParseWithOpts')
    add(memory, 'memory', {MEMORY}, [ENOMEM], word='memory')
    add(' '.join('cJSON_' + name for name in json.split()),
        'memory', {MEMORY}, [ENOMEM],
        word='memory')
    add('mmap', 'memory', {MEMORY}, [ENOMEM], word='memory')
    add('madvise', 'memory', {MEMORY}, [ENOMEM], [ENOMEM])
    add('setenv', 'memory', {MEMORY, PEER}, [ENOMEM], word='')
    add('open openat mkostemp opendir fopen fdopen dup dup2 fcntl realpath', 'descriptors', {FILES},
        [EMFILE])
    add('pipe2 memfd_create signalfd socket bind', 'descriptors', {PEER}, [EMFILE])
    add('read pread', 'reading', {FILES}, [EIO, EINTR, HALF], [EINTR, HALF])
    add('readdir readlink fgets fgetc fscanf lseek', 'reading', {FILES}, [EIO])
    add('write pwrite pwritev', 'writing', {FILES}, [ENOSPC, EIO, EINTR, HALF], [EINTR, HALF])
    add('fflush fclose', 'writing', {FILES}, [ENOSPC])
    add('fsync', 'writing', {FILES}, [EIO])
    add('ftruncate', 'writing', {FILES}, [ENOSPC])
    add('fallocate', 'writing', {FILES}, [ENOSPC, EOPNOTSUPP], [EOPNOTSUPP])
    add('close closedir', 'closing', {FILES}, [EIO])
    add('rename renameat', 'names', {FILES}, [EIO])
    add('renameat2', 'names', {FILES}, [EIO, EINVAL], [EINVAL])
    add('linkat', 'names', {FILES}, [EIO], [EIO])
    add('mkdir', 'names', {FILES}, [EACCES])
    add('unlink unlinkat rmdir', 'names', {FILES}, [EACCES])
    add('flock', 'names', {FILES}, [ENOLCK], [ENOLCK])
    add('fchmod', 'names', {FILES}, [EPERM])
    add('access faccessat', 'names', {FILES}, [EACCES])
    add('stat lstat fstat fstatat fstatvfs statvfs', 'looking', {FILES}, [EIO])
    add('getrandom', 'looking', {FILES, MEMORY}, [ENOSYS])
    add('fork', 'processes', {PEER}, [EAGAIN])
    add('pthread_create', 'processes', {MEMORY, PEER}, [EAGAIN])
    add('execvp', 'processes', {PEER}, [EACCES])
    add('waitpid', 'processes', {PEER}, [EINTR, ECHILD], [EINTR])
    add('setpgid', 'processes', {PEER}, [EPERM], [EPERM])
    add('poll nanosleep', 'processes', {PEER}, [EINTR], [EINTR])
    add('sem_timedwait', 'processes', {PEER}, [EINTR, ETIMEDOUT], [EINTR, ETIMEDOUT])
    add('getrlimit sched_getaffinity sched_setaffinity', 'processes', {PEER}, [EPERM], [EPERM])
    add('setrlimit', 'processes', {PEER}, [EPERM], word='open files')
    add('dlopen', 'libraries', {2, FILES, PEER}, [ENOENT], word='')
    mpi = (
        'Allgather Allreduce Alltoall Alltoallv Barrier Bcast Comm_dup Comm_free Comm_rank '
        'Comm_set_errhandler '
        'Comm_size Comm_split Comm_split_type Finalize Gather Iallreduce Ibarrier Ibcast '
        'Init_thread Test Type_commit Type_contiguous '
        'Type_free Wait Win_allocate_shared Win_free Win_shared_query')
    add(' '.join('MPI_' + name for name in mpi.split()), 'MPI', {PEER}, [EIO], word='MPI')
    return table


class _Calls(dict):
    """A call of a GPU's runtime has no row."""

    def __missing__(self, name):
        if not re.match('(cuda|hip)[A-Z]', name):
            raise KeyError(name)
        memory = re.search('Malloc|HostAlloc', name)
        self[name] = Call('GPU', {MEMORY, DEVICE} if memory else {DEVICE},
                          [GPU_MEMORY if memory else GPU_UNKNOWN],
                          word='')
        return self[name]


CALLS = _Calls(_table())

# Calls that cannot fail as they are used, that end the process, or whose failure fails another call
# of this table too (fprintf: what is written is lost in fflush or fclose).
OTHERS = re.compile('|'.join('''
GOMP_.* omp_.* METIS_.* _ITM_.* __.* ompi_.*
MPI_(Abort|Error_string|Finalized|Initialized|Get_library_version)
cJSON_(IsString|AddItemToArray|Delete|GetArraySize|GetObjectItemCaseSensitive)
cJSON_(GetStringValue|Version|free)
_GLOBAL_OFFSET_TABLE_ _exit abort atexit raise kill signal sigaction sigaddset sigemptyset
sigfillset sigprocmask sigtimedwait pthread_sigmask
pthread_join pthread_(attr|cond|mutex)_.* syscall
newlocale uselocale sem_init sem_post sched_yield sleep usleep prctl posix_spawn_file_actions_.*
environ
getenv unsetenv geteuid getpid getppid gethostname uname sysconf isatty ioctl ttyname_r time
clock_gettime gmtime_r strftime getopt_long
opt(arg|err|ind|opt) dirname dladdr1 dlerror dlsym free malloc_trim malloc_usable_size munmap
mem(chr|cmp|cpy|mem|move|pcpy|set|rchr) str(.*) stpcpy bsearch qsort qsort_r s(n|s)?printf vsnprintf
sscanf
std(in|out|err) setvbuf feof ferror [fd]?printf fwrite fput[cs] putc putchar puts ceil exp floor log
log10 pow round sqrt fma fmax fmin nextafterf frexp ilogb ldexp llrint lround
'''.split()))

# After other failures than those of memory a run that goes on is an error, but in these functions
# of ours: why. (reason, functions, calls; None: all). <FUNCTION: and in what it calls.
SILENT = [
    ('what is not known of the machine is left open: cores, limits of memory, what is resident',
     'add_file bind_process find_usable find_group find_mount open_under milliprocessors_of_group '
     'limit_of_tree find_limit read_list read_number mem_resident',
     None),
    ('the report lacks the command line, or a hash', 'read_command hash_end hash_start trace_add',
     None),
    ('the report lacks a hash', 'file_is_same file_read', 'fstat pread'),
    ('without a thread of its own it takes its turn', 'start_reserving start_thread',
     'pthread_create'),
    ('space is looked for, or taken, ahead of need',
     'check_space output_reserve output_trim check_checkpoint_room', None),
    ('closed after it was read, or written and synced',
     'file_close make_file staged_make read_file kept_free staged_free staged_sync_folder '
     'checkpoint_free',
     'close fclose'),
    ('the stream keeps nothing, and its writes have told', 'output_text', 'fclose'),
    ('what cannot be looked at is not there, and creating the file tells',
     'target_find read_link is_foreign staged_path_leads_to path_spoils_input staged_check '
     'staged_remove_stale staged_first_mode run_name_scale '
     'staged_complete staged_is_same check_names copy read_scale check_path', None),
    ('what cannot be removed stays', 'staged_leave staged_free remove_file checkpoint_free',
     'unlinkat unlink rmdir'),
    ('a limit of files that stays too low is told by who opens one', 'allow_files', None),
    ('what a run that was killed has left stays', '<remove_file', None),
    ('what may not be a checkpoint stays', 'is_ours <is_ours', None),
    ('what cannot be removed is replaced', 'checkpoint_write', 'unlink'),
    ('what cannot be looked at is opened all the same, which tells', 'look is_lost check_lost',
     'access'),
    ('another try with another name', 'staged_name_is_held', 'fstat fstatat'),
    ('the path is told, or taken, as it was given', 'staged_find_place staged_create_for', None),
    ('the folder is synced where it can be opened', 'staged_sync_folder', None),
    ('without a voice every rank speaks', 'take_voice leave', 'socket bind fstat close'),
    ('the mode of what it replaces is taken over where that can be', 'staged_take_target',
     'fstatat fchmod'),
    ('another source of the seed', 'comm_seed', 'getrandom'),
    ('the descriptor is taken for open', 'open_closed', 'fcntl'),
    ('MPI is over', 'finish apsp main verify query free_mpi', 'MPI_Finalize MPI_Comm_free'),
    ('files that a rank cannot watch are removed by their owner', 'staged_open_folder staged_join',
     'open openat'),
    ('a child that somebody else has reaped', 'wait_for_first', 'waitpid'),
]


def reason_to_go_on(call, functions):
    """functions: of our own, the one that calls and those that it was called by. None: there is
    none."""
    inner, *outer = functions
    return next(
        (reason for reason, names, calls in SILENT if (calls is None or call in calls.split()) and (
            inner in names.split() or any('<' + name in names.split() for name in outer))), None)


# In these functions of ours a call fails otherwise than its row says: (call, function): exit codes,
# what the line names.
OTHERWISE = {
    # the child that orders has no line of its own
    ('open', 'detach'): ({MEMORY}, 'METIS failed'),
    ('dup2', 'detach'): ({MEMORY}, 'METIS failed'),
    # what cannot be looked at may be another file
    ('fstat', 'file_is_same'): ({FILES}, 'changed while it was read'),
    ('fstat', 'staged_reopen'): ({FILES}, 'is not the file that this run has written'),
    ('fstat', 'staged_name_is_held'): ({FILES}, 'something else has replaced'),
    ('fstatat', 'staged_name_is_held'): ({FILES}, 'something else has replaced'),
    ('fork', 'start_first'): ({MEMORY}, None),
    # cJSON does not tell why; and a stream in memory
    ('cJSON_ParseWithOpts', 'parse'): ({3}, 'is not a report'),
    ('fclose', 'take_command'): ({MEMORY}, 'no memory'),
    # what cannot be looked at may be a checkpoint
    ('access', 'look'): ({2}, 'has a checkpoint'),
    # what is no file is a list
    ('access', 'is_list'): ({2}, 'is not a vertex'),
    # the file has its name, and nobody knows where that is
    ('asprintf', 'staged_find_place'): ({MEMORY}, 'no memory'),
}
