/* By the tool of the driver, which prints a row for each GPU: what lies between it and GPU0, GPU1
 * and so on.
 */
#include "scaling.h"

#include <stdio.h>
#include <string.h>

static FILE *rows_open(void)
{
    return popen("nvidia-smi topo -m 2>/dev/null || rocm-smi --showtopotype 2>/dev/null", "r");
}

static bool next_row(FILE *rows, char *line, size_t room)
{
    while (rows && fgets(line, (int)room, rows))
        if (strncmp(line, "GPU", 3) == 0)
            return true;
    if (rows)
        pclose(rows);
    return false;
}

void links_print(void)
{
    char line[400];
    for (FILE *rows = rows_open(); next_row(rows, line, sizeof line);)
        printf("# topology: %s", line);
}

void links_name(char *note, size_t room)
{
    char line[400], link[20];
    for (FILE *rows = rows_open(); next_row(rows, line, sizeof line);)
        if (sscanf(line, "GPU0 %*s %19s", link) == 1)
            snprintf(note, room, "link: %s", link);
}
