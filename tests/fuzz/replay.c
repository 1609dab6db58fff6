/* Runs a harness without a fuzzer: once for each file that the command line names. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { ROOM = 1 << 20 };

int main(int argc, char **argv)
{
    uint8_t *data = malloc(ROOM);
    for (int i = 1; data && i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        size_t bytes = file ? fread(data, 1, ROOM, file) : 0;
        uint8_t *exact = malloc(bytes + 1); /* so that reading beyond it shows */
        if (!file || !exact)
            return 1;
        fclose(file);
        for (size_t b = 0; b < bytes; b++)
            exact[b] = data[b];
        LLVMFuzzerTestOneInput(exact, bytes);
        free(exact);
    }
    free(data);
    return argc < 2;
}
