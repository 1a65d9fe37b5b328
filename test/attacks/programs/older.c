// Runs a program as an older kernel would: the first argument is the version of Landlock that it is told, the rest the program.
// Nobody gets namespaces. Every other call is the kernel's own.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define GIVE(answer) BPF_STMT(BPF_RET | BPF_K, answer)

static int filtered(void) {
    struct sock_filter code[] = {
        LOAD(nr),
        UNLESS(SYS_unshare, 1),
        GIVE(SECCOMP_RET_ERRNO | EPERM),
        UNLESS(SYS_landlock_create_ruleset, 3),
        LOAD(args[2]),
        UNLESS(1, 1),
        GIVE(SECCOMP_RET_USER_NOTIF),
        GIVE(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

// Passes a descriptor on, or takes one.
static int pass(int socket, int listener) {
    char byte = 0, space[CMSG_SPACE(sizeof listener)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (listener >= 0) {
        *head = (struct cmsghdr){CMSG_LEN(sizeof listener), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(head), &listener, sizeof listener);
        return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
    }
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message)) return -1;
    memcpy(&listener, CMSG_DATA(head), sizeof listener);
    return listener;
}

int main(int count, char **words) {
    int sockets[2], status = 0;
    if (count < 3 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0) return 2;
    pid_t child = fork();
    if (child == 0) {
        if (pass(sockets[1], filtered()) == 0) execvp(words[2], words + 2);
        perror(words[2]);
        _exit(2);
    }
    struct pollfd listener = {pass(sockets[0], -1), POLLIN, 0};
    close(0);
    while (listener.fd >= 0 && poll(&listener, 1, -1) > 0 && !(listener.revents & POLLHUP)) {
        struct seccomp_notif asked = {0};
        if (ioctl(listener.fd, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0) continue;
        struct seccomp_notif_resp answer = {.id = asked.id, .val = atoi(words[1])};
        ioctl(listener.fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
