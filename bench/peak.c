/* peak COMMAND...: runs it, and then prints the most memory that it and its children have held at
 * once, in MiB, as a line of stderr: the resident set of the largest of them, or all of them as
 * they share pages, which is looked at every few milliseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* KiB, each page divided by the number of processes that have it. */
static long share_of(pid_t pid)
{
    char path[64], line[256];
    long share = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "Pss:", 4) == 0)
            share = strtol(line + 4, NULL, 10);
    if (file)
        fclose(file);
    return share;
}

/* Of a process and all below it, which their main threads have started. */
static long share_of_all(pid_t pid)
{
    char path[64];
    int child;
    long all = share_of(pid);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%d", &child) == 1)
        all += share_of_all(child);
    if (file)
        fclose(file);
    return all;
}

int main(int argc, char **argv)
{
    static const struct timespec moment = {.tv_nsec = 3000000};
    struct rusage usage;
    int status = 0;
    long most = 0, all;
    if (argc < 2)
        return 2;
    pid_t child = fork(), ended;
    if (child == 0) {
        execv(argv[1], argv + 1);
        _exit(127);
    }
    while (child > 0 && (ended = wait4(child, &status, WNOHANG, &usage)) == 0) {
        all = share_of_all(child);
        most = all > most ? all : most;
        nanosleep(&moment, NULL);
    }
    if (child < 0 || ended < 0)
        return 1;
    most = usage.ru_maxrss > most ? usage.ru_maxrss : most;
    fprintf(stderr, "peak %.1f\n", (double)most / 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
