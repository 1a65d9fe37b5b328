// Uses more and more of what the first argument names, and says `past` when it is past every limit of the tests. The steps
// have pauses, so that whoever counts has time to.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB (1024 * 1024)
#define STEPS 200
#define PAUSE_US 4000
#define PROCESSES 80
#define WRITTEN_MIB 40
#define FILES 100000
#define MANY_FILES 128
#define LONG_US 400000
#define CPU_S 1

static int memory(void) {
    for (int step = 0; step < STEPS; step++) {
        char *piece = malloc(MIB);
        if (piece == NULL) return 1;
        memset(piece, step + 1, MIB);
        usleep(PAUSE_US);
    }
    return 0;
}

static int processes(void) {
    int made = 0;
    for (int number = 0; number < PROCESSES; number++) {
        int pid = fork();
        if (pid == 0) {
            usleep(LONG_US * 2);
            _exit(0);
        }
        made += pid > 0;
    }
    usleep(LONG_US);
    return made < PROCESSES;
}

static int written(const char *path, int pause) {
    static char piece[MIB];
    memset(piece, 'w', MIB);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int step = 0; step < WRITTEN_MIB; step++) {
        if (write(file, piece, MIB) != MIB) return 1;
        if (pause) usleep(PAUSE_US);
    }
    return 0;
}

static int processor(void) {
    struct timespec used;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec < CPU_S);
    return 0;
}

static int files(void) {
    int opened = 0;
    while (opened < FILES && open("/dev/null", O_RDONLY) >= 0) opened++;
    usleep(LONG_US);
    return opened < MANY_FILES;
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    int failed = 1;
    if (strcmp(what, "memory") == 0) failed = memory();
    if (strcmp(what, "processes") == 0) failed = processes();
    if (strcmp(what, "disk") == 0) failed = written("written", 1);
    if (strcmp(what, "shared") == 0) failed = written("/dev/shm/written", 1);
    if (strcmp(what, "file") == 0) failed = written("written", 0);
    if (strcmp(what, "processor") == 0) failed = processor();
    if (strcmp(what, "files") == 0) failed = files();
    // A program that only waits is still there when the next command runs.
    puts(failed ? "held" : "past");
    return failed;
}
