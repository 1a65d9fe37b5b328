// Reaches a socket of the host in the way that the first argument names, and sends the third argument to the second.
// Says `done`, `lacks` when the kernel has no such call, or `refused` with the number of the error.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/io_uring.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

static const char *text;

static int say(int failed) {
    int lacks = failed && (errno == ENOSYS || errno == EPROTONOSUPPORT || errno == EAFNOSUPPORT);
    if (!failed) puts("done");
    else if (lacks) puts("lacks");
    else printf("refused %d\n", errno);
    return failed != 0;
}

static struct sockaddr_in loopback(const char *port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return to;
}

static int connected(int type, int protocol, const char *port) {
    struct sockaddr_in to = loopback(port);
    int s = socket(AF_INET, type, protocol);
    if (s < 0 || connect(s, (void *)&to, sizeof to) < 0) return -1;
    return send(s, text, strlen(text), 0) < 0 ? -1 : 0;
}

static int addressed(int type, int flags, const char *port, const char *prefix) {
    char packet[600];
    struct sockaddr_in to = loopback(port);
    int s = socket(AF_INET, type, 0);
    // A question for the address of the text, when a prefix is wanted.
    size_t length = strlen(prefix) ? 12 : 0, label = strlen(text);
    memset(packet, 0, sizeof packet);
    if (length) {
        memcpy(packet, "\x12\x34\x01\x00\x00\x01", 6);
        packet[length++] = (char)label;
    }
    memcpy(packet + length, text, label);
    length += label;
    if (strlen(prefix)) memcpy(packet + length, "\0\0\1\0\1", 5), length += 5;
    if (s < 0) return -1;
    return sendto(s, packet, length, flags, (void *)&to, sizeof to) < 0 ? -1 : 0;
}

static socklen_t named(struct sockaddr_un *to, const char *name) {
    memset(to, 0, sizeof *to);
    to->sun_family = AF_UNIX;
    strncpy(to->sun_path, name, sizeof to->sun_path - 1);
    if (name[0] != '@') return sizeof *to;
    to->sun_path[0] = 0;
    return offsetof(struct sockaddr_un, sun_path) + strlen(name);
}

static int local(int type, const char *name, int with_message) {
    struct sockaddr_un to;
    socklen_t length = named(&to, name);
    int s = socket(AF_UNIX, type, 0);
    if (s < 0) return -1;
    struct iovec part = {(void *)text, strlen(text)};
    struct msghdr message = {.msg_name = &to, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
    if (with_message) return sendmsg(s, &message, 0) < 0 ? -1 : 0;
    if (type == SOCK_DGRAM) return sendto(s, text, strlen(text), 0, (void *)&to, length) < 0 ? -1 : 0;
    if (connect(s, (void *)&to, length) < 0) return -1;
    return write(s, text, strlen(text)) < 0 ? -1 : 0;
}

static int bound(void) {
    struct sockaddr_in at = loopback("0");
    int s = socket(AF_INET, SOCK_STREAM, 0);
    return s < 0 || bind(s, (void *)&at, sizeof at) < 0 || listen(s, 1) < 0 ? -1 : 0;
}

// Without listen nobody gets in; a name as short as an address of netlink may be given all the same.
static int bound_locally(const char *name, int is_short) {
    struct sockaddr_un at;
    socklen_t length = named(&at, name);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    return s < 0 || bind(s, (void *)&at, is_short ? 12 : length) < 0 || listen(s, 1) < 0 ? -1 : 0;
}

struct ring {
    int fd;
    unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
    struct io_uring_sqe *entries;
    struct io_uring_cqe *completions;
};

static int ring_call(struct ring *ring, struct io_uring_sqe entry) {
    unsigned tail = *ring->sq_tail, index = tail & *ring->sq_mask;
    ring->entries[index] = entry;
    ring->sq_array[index] = index;
    __atomic_store_n(ring->sq_tail, tail + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) return -1;
    unsigned head = *ring->cq_head;
    int result = ring->completions[head & *ring->cq_mask].res;
    __atomic_store_n(ring->cq_head, head + 1, __ATOMIC_RELEASE);
    if (result >= 0) return result;
    errno = -result;
    return -1;
}

static int by_ring(const char *port) {
    struct io_uring_params p = {0};
    struct ring ring = {.fd = syscall(SYS_io_uring_setup, 4, &p)};
    if (ring.fd < 0) return -1;
    size_t size = 4096 * 4;
    char *sq = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
    char *cq = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_CQ_RING);
    ring.entries = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQES);
    if (sq == MAP_FAILED || cq == MAP_FAILED || ring.entries == MAP_FAILED) return -1;
    ring.sq_tail = (void *)(sq + p.sq_off.tail), ring.sq_mask = (void *)(sq + p.sq_off.ring_mask);
    ring.sq_array = (void *)(sq + p.sq_off.array), ring.cq_head = (void *)(cq + p.cq_off.head);
    ring.cq_tail = (void *)(cq + p.cq_off.tail), ring.cq_mask = (void *)(cq + p.cq_off.ring_mask);
    ring.completions = (void *)(cq + p.cq_off.cqes);
    struct sockaddr_in to = loopback(port);
    int s = ring_call(&ring, (struct io_uring_sqe){.opcode = IORING_OP_SOCKET, .fd = AF_INET, .off = SOCK_STREAM});
    if (s < 0) return -1;
    if (ring_call(&ring, (struct io_uring_sqe){.opcode = IORING_OP_CONNECT, .fd = s, .addr = (uintptr_t)&to, .off = sizeof to}) < 0)
        return -1;
    return ring_call(&ring, (struct io_uring_sqe){.opcode = IORING_OP_SEND, .fd = s, .addr = (uintptr_t)text, .len = strlen(text)});
}

#ifdef __x86_64__
static sigjmp_buf no_gate;
static void leave(int number) { (void)number, siglongjmp(no_gate, 1); }

static long gate(long number, long a, long b, long c, long d) {
    long result;
    register long fifth asm("rdi") = 0;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "r"(fifth)
                     : "memory", "r8", "r9", "r10", "r11");
    if (result >= 0) return result;
    errno = -(int)result;
    return -1;
}

// The calls of 32-bit programs: socket 359, connect 362, sendto 369.
static int by_gate(const char *port) {
    signal(SIGSEGV, leave);
    if (sigsetjmp(no_gate, 1)) return errno = ENOSYS, -1;
    char *low = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED) return -1;
    struct sockaddr_in to = loopback(port);
    memcpy(low, &to, sizeof to);
    strcpy(low + 64, text);
    long s = gate(359, AF_INET, SOCK_STREAM, 0, 0);
    if (s < 0 || gate(362, s, (long)low, sizeof to, 0) < 0) return -1;
    return gate(4, s, (long)low + 64, strlen(text), 0) < 0 ? -1 : 0;
}

static int by_x32(const char *port) {
    struct sockaddr_in to = loopback(port);
    long s = syscall(0x40000000 | 41, AF_INET, SOCK_STREAM, 0);
    if (s < 0 || syscall(0x40000000 | 42, s, &to, sizeof to) < 0) return -1;
    return syscall(0x40000000 | 1, s, text, strlen(text)) < 0 ? -1 : 0;
}
#else
static int by_gate(const char *port) { return (void)port, errno = ENOSYS, -1; }
static int by_x32(const char *port) { return (void)port, errno = ENOSYS, -1; }
#endif

int main(int count, char **words) {
    if (count < 4) return 2;
    const char *how = words[1], *where = words[2];
    text = words[3];
    if (!strcmp(how, "tcp")) return say(connected(SOCK_STREAM, 0, where));
    if (!strcmp(how, "mptcp")) return say(connected(SOCK_STREAM, IPPROTO_MPTCP, where));
    if (!strcmp(how, "fast-open")) return say(addressed(SOCK_STREAM, MSG_FASTOPEN, where, ""));
    if (!strcmp(how, "udp")) return say(addressed(SOCK_DGRAM, 0, where, ""));
    if (!strcmp(how, "udp-connected")) return say(connected(SOCK_DGRAM, 0, where));
    if (!strcmp(how, "dns")) return say(addressed(SOCK_DGRAM, 0, where, "dns"));
    if (!strcmp(how, "listen")) return say(bound());
    if (!strcmp(how, "listen-local")) return say(bound_locally(where, 0));
    if (!strcmp(how, "listen-short")) return say(bound_locally(where, 1));
    if (!strcmp(how, "stream")) return say(local(SOCK_STREAM, where, 0));
    if (!strcmp(how, "datagram")) return say(local(SOCK_DGRAM, where, 0));
    if (!strcmp(how, "message")) return say(local(SOCK_DGRAM, where, 1));
    if (!strcmp(how, "io_uring")) return say(by_ring(where) < 0);
    if (!strcmp(how, "int80")) return say(by_gate(where));
    if (!strcmp(how, "x32")) return say(by_x32(where));
    return 2;
}
