/* The options of an experiment's program. */
#include "choice.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MOST = 100000 };

static const struct choice usual = {
    .sizes = {500, 1000, 2000, 5000}, .share = 2, .repeats = 3, .cpu = true, .gpu = true};

static void choose_full(struct choice *choice)
{
    static const size_t sizes[CHOICE_SIZES] = {5000, 10000, 20000, 40000};
    memcpy(choice->sizes, sizes, sizeof sizes);
    choice->share = 60;
    choice->repeats = CHOICE_REPEATS;
}

static const char usage[] =
    "Runs the steps of one experiment, each checked and then timed.\n\n"
    "  --n N          this size; by default the largest of 500, 1000, 2000 and 5000 that fits 2 s\n"
    "  --full         the largest of 5000, 10000, 20000 and 40000 that fits a minute, medians of 5 "
    "runs\n"
    "  --device WHAT  cpu, gpu or all (default)\n"
    "  --only TEXT    the steps with TEXT in their names\n"
    "  --csv FILE     the table as CSV too\n"
    "  --json         the table as JSON\n"
    "  --list         the names of the steps\n"
    "  -h, --help     this text\n";

static const struct option options[] = {{"n", required_argument, NULL, 'n'},
                                        {"full", no_argument, NULL, 'f'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"csv", required_argument, NULL, 'c'},
                                        {"list", no_argument, NULL, 'l'},
                                        {"device", required_argument, NULL, 'd'},
                                        {"only", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static int list_steps(const struct lab_experiment *experiment)
{
    for (const struct lab_step *const *each = experiment->steps; *each; each++)
        printf("%s\n", (*each)->name);
    return 0;
}

static int choose_n(struct choice *choice, const char *text)
{
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || n < 1 || n > N_MOST)
        return fprintf(stderr, "lab: --n %s: a number from 1 to %d\n", text, N_MOST), 2;
    memset(choice->sizes, 0, sizeof choice->sizes);
    choice->sizes[0] = (size_t)n;
    return -1;
}

static int choose_device(struct choice *choice, const char *text)
{
    choice->cpu = strcmp(text, "gpu") != 0;
    choice->gpu = strcmp(text, "cpu") != 0;
    if (choice->cpu && choice->gpu && strcmp(text, "all") != 0)
        return fprintf(stderr, "lab: --device %s: cpu, gpu or all\n", text), 2;
    return -1;
}

static int choose(struct choice *choice, int letter)
{
    switch (letter) {
    case 'n':
        return choose_n(choice, optarg);
    case 'f':
        return choose_full(choice), -1;
    case 'd':
        return choose_device(choice, optarg);
    case 'o':
        return choice->only = optarg, -1;
    case 'c':
        return choice->csv = optarg, -1;
    case 'j':
        return choice->json = true, -1;
    case 'l':
        return list_steps(choice->experiment);
    case 'h':
        return printf("%s\n\n%s", choice->experiment->title, usage), 0;
    default:
        return 2;
    }
}

int choice_read(struct choice *choice, const struct lab_experiment *experiment, int argc,
                char **argv)
{
    int letter, status = -1;
    *choice = usual;
    choice->experiment = experiment;
    while (status < 0 && (letter = getopt_long(argc, argv, "h", options, NULL)) != -1)
        status = choose(choice, letter);
    if (status < 0 && optind < argc)
        return fprintf(stderr, "lab: what is `%s`? See --help\n", argv[optind]), 2;
    return status;
}
