// Changes how another process runs, in the way that the first argument names; the second is its number.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int limit(pid_t victim) {
    struct rlimit limit;
    if (prlimit(victim, RLIMIT_NOFILE, NULL, &limit) < 0) return -1;
    limit.rlim_cur = 17;
    return prlimit(victim, RLIMIT_NOFILE, &limit, NULL);
}

static int affinity(pid_t victim) {
    cpu_set_t set;
    if (sched_getaffinity(victim, sizeof set, &set) < 0) return -1;
    if (CPU_COUNT(&set) < 2) return errno = ENOSYS, -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set)) {
            CPU_CLR(cpu, &set);
            break;
        }
    return sched_setaffinity(victim, sizeof set, &set);
}

static int scheduler(pid_t victim) {
    struct sched_param none = {0};
    return sched_setscheduler(victim, SCHED_BATCH, &none);
}

// struct sched_attr with policy SCHED_IDLE.
static int attributes(pid_t victim) {
    unsigned attributes[12] = {48, 5};
    return syscall(SYS_sched_setattr, victim, attributes, 0);
}

#ifdef __x86_64__
static sigjmp_buf no_gate;
static void leave(int number) { (void)number, siglongjmp(no_gate, 1); }

// prlimit64 has the number 340 for 32-bit programs.
static int by_gate(pid_t victim) {
    long result;
    signal(SIGSEGV, leave);
    if (sigsetjmp(no_gate, 1)) return errno = ENOSYS, -1;
    unsigned long long *low = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED) return -1;
    low[0] = 18, low[1] = 100;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(340L), "b"((long)victim), "c"((long)RLIMIT_NOFILE), "d"(low), "S"(0L)
                     : "memory", "r8", "r9", "r10", "r11");
    if (result >= 0) return 0;
    errno = -(int)result;
    return -1;
}
#else
static int by_gate(pid_t victim) { return (void)victim, errno = ENOSYS, -1; }
#endif

// Opens for reading what it may, and again for writing through its own descriptor.
static int reopened(const char *file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", open(file, O_RDONLY));
    int again = open(path, O_WRONLY | O_TRUNC);
    return again < 0 || write(again, "changed\n", 8) < 0 ? -1 : 0;
}

// A namespace of users, by the call that says so in a register or by the one that says so in memory.
static int own_users(int by_memory) {
    struct { unsigned long long flags, rest[10]; } wanted = {CLONE_NEWUSER, {0}};
    wanted.rest[3] = SIGCHLD;
    long child = by_memory ? syscall(SYS_clone3, &wanted, 64) : syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    return child < 0 ? -1 : 0;
}

int main(int count, char **words) {
    if (count < 3) return 2;
    const char *how = words[1];
    pid_t victim = atoi(words[2]);
    int failed = -1;
    errno = EINVAL;
    if (!strcmp(how, "limit")) failed = limit(victim);
    if (!strcmp(how, "limit-int80")) failed = by_gate(victim);
    if (!strcmp(how, "affinity")) failed = affinity(victim);
    if (!strcmp(how, "scheduler")) failed = scheduler(victim);
    if (!strcmp(how, "attributes")) failed = attributes(victim);
    if (!strcmp(how, "nice")) failed = setpriority(PRIO_PROCESS, victim, 7);
    // Class 2, best effort, priority 7.
    if (!strcmp(how, "ioprio")) failed = syscall(SYS_ioprio_set, 1, victim, 2 << 13 | 7);
    if (!strcmp(how, "users")) failed = own_users(0);
    // Refused as if it were not there, so that libraries take the other one.
    if (!strcmp(how, "users3") && (failed = own_users(1)) && errno == ENOSYS) errno = EPERM;
    if (!strcmp(how, "reopen")) failed = reopened(words[2]);
    if (!failed) puts("done");
    else printf("%s %d\n", errno == ENOSYS ? "lacks" : "refused", errno);
    return failed != 0;
}
