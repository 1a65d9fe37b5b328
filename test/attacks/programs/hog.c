// Many processes that hold memory each: the first argument is their number, the second how many megabytes. Says `done` when each
// of them has it or was ended.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile memory;

int main(int count, char **words) {
    int said[2], number = count > 2 ? atoi(words[1]) : 0;
    size_t size = count > 2 ? (size_t)atoi(words[2]) << 20 : 0;
    char byte;
    if (pipe(said) < 0) return 2;
    for (int started = 0; started < number; started++)
        if (fork() == 0) {
            memory = malloc(size);
            if (memory) memset(memory, 1, size);
            close(said[1]);
            close(said[0]);
            for (;;) pause();
        }
    close(said[1]);
    // At its end when nobody is left who has not got it.
    if (read(said[0], &byte, 1) != 0) return 1;
    puts("done");
    return 0;
}
