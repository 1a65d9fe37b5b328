// Uses more and more of what the first argument names, and says `past` when it is past every limit of the tests. The steps
// have pauses, so that whoever counts has time to.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/socket.h>
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
#define SESSIONS 200
#define PAIRS 300
#define SENT_MIB 96
#define BUFFER 65536

// On the heap, so that a program that uses nothing is small.
static char *filled(int size) {
    char *piece = malloc(size);
    if (piece == NULL) exit(1);
    memset(piece, 'f', size);
    return piece;
}

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
    char *piece = filled(MIB);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int step = 0; step < WRITTEN_MIB; step++) {
        if (write(file, piece, MIB) != MIB) return 1;
        if (pause) usleep(PAUSE_US);
    }
    return 0;
}

// Each child is a session of its own, which the scheduler gives a share of its own, and says that it is there.
static int sessions(void) {
    int made = 0;
    for (int number = 0; number < SESSIONS; number++) {
        int pid = fork();
        if (pid == 0) {
            setsid();
            if (write(1, ".", 1) < 1) _exit(1);
            usleep(LONG_US * 2);
            _exit(0);
        }
        made += pid > 0;
    }
    usleep(LONG_US);
    return made < SESSIONS;
}

// Memory that no process has in a mapping any more. It is removed in the end, where it does not go with the run.
static int keyed(void) {
    static int keys[STEPS];
    int made = 0;
    for (; made < STEPS; made++) {
        keys[made] = shmget(IPC_PRIVATE, MIB, 0600 | IPC_CREAT);
        char *piece = keys[made] < 0 ? (void *)-1 : shmat(keys[made], NULL, 0);
        if (piece == (void *)-1) break;
        memset(piece, 1, MIB);
        shmdt(piece);
        usleep(PAUSE_US);
    }
    for (int number = 0; number < made; number++) shmctl(keys[number], IPC_RMID, NULL);
    return made < STEPS;
}

// Children that have ended when their writing is counted.
static int children(void) {
    for (int number = 0; number < WRITTEN_MIB; number++) {
        int pid = fork();
        if (pid == 0) {
            char name[32];
            snprintf(name, sizeof name, "child-%d", number);
            char *piece = filled(MIB);
            int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
            _exit(write(file, piece, MIB) != MIB);
        }
        int status = 1;
        waitpid(pid, &status, 0);
        if (status != 0) return 1;
        usleep(PAUSE_US);
    }
    usleep(LONG_US * 4);
    return 0;
}

// Buffers of connections that nobody reads.
static int sockets(void) {
    char *piece = filled(BUFFER);
    int large = 1 << 26;
    long sent = 0;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (void *)&address, length) != 0 || listen(listener, PAIRS) != 0) return 1;
    getsockname(listener, (void *)&address, &length);
    for (int number = 0; number < PAIRS && sent < SENT_MIB * (long)MIB; number++) {
        int from = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(from, (void *)&address, length) != 0) return 1;
        int to = accept(listener, NULL, NULL);
        setsockopt(from, SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
        setsockopt(to, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
        for (long part; (part = send(from, piece, BUFFER, MSG_DONTWAIT)) > 0;) sent += part;
    }
    usleep(LONG_US);
    return sent < SENT_MIB * (long)MIB;
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
    if (strcmp(what, "sessions") == 0) failed = sessions();
    if (strcmp(what, "keyed") == 0) failed = keyed();
    if (strcmp(what, "children") == 0) failed = children();
    if (strcmp(what, "sockets") == 0) failed = sockets();
    if (strcmp(what, "nothing") == 0) failed = 0;
    if (strcmp(what, "processor") == 0) failed = processor();
    if (strcmp(what, "files") == 0) failed = files();
    // A program that only waits is still there when the next command runs.
    puts(failed ? "held" : "past");
    return failed;
}
