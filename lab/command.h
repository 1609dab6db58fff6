/* The product's programs, which lie in the folder above the experiments', and files for them. */
#ifndef LAB_COMMAND_H
#define LAB_COMMAND_H

#include "lab.h"

#include <cjson/cJSON.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A graph's file in the course's format, of problem->in[0] (paths.h), and one for the result;
 * removed at exit. */
struct lab_files {
    char graph[200], result[208];
};
const struct lab_files *lab_files(const struct lab_problem *problem);
/* Reads the file of the result to problem->out. */
void lab_result(struct lab_problem *problem);

/* Writes the output of a program in the parent folder to `text`; false: it failed. */
bool lab_output(const char *program, const char *arguments, char *text, size_t room);

/* Runs `apsp` with these options on the files; its report. NULL: it failed. cJSON_Delete. */
cJSON *lab_command(const struct lab_problem *problem, const char *options);

#ifdef __cplusplus
}
#endif
#endif
