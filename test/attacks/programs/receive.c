// Prints what Unix sockets get: each argument is `stream` or `datagram`, a colon, and a path or, after @, a name without one.
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_SOCKETS 8

static int opened(const char *what) {
    int type = what[0] == 's' ? SOCK_STREAM : SOCK_DGRAM;
    const char *name = strchr(what, ':') + 1;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    socklen_t length = sizeof at;
    strncpy(at.sun_path, name, sizeof at.sun_path - 1);
    if (name[0] == '@') {
        at.sun_path[0] = 0;
        length = offsetof(struct sockaddr_un, sun_path) + strlen(name);
    }
    int s = socket(AF_UNIX, type, 0);
    if (s < 0 || bind(s, (void *)&at, length) < 0) return -1;
    if (name[0] != '@') chmod(name, 0777);
    if (type == SOCK_STREAM && listen(s, 8) < 0) return -1;
    return s;
}

// A connection is read to its end: rows send one text each.
static void print(int s, int is_stream) {
    char packet[600];
    int from = is_stream ? accept(s, NULL, NULL) : s;
    ssize_t got;
    while (from >= 0 && (got = recv(from, packet, sizeof packet, 0)) > 0) {
        printf("%.*s\n", (int)got, packet);
        if (!is_stream) break;
    }
    if (is_stream && from >= 0) close(from);
    fflush(stdout);
}

int main(int count, char **names) {
    struct pollfd sockets[MAX_SOCKETS];
    if (count < 2 || count > MAX_SOCKETS) return 2;
    for (int i = 1; i < count; i++) {
        sockets[i - 1] = (struct pollfd){.fd = opened(names[i]), .events = POLLIN};
        if (sockets[i - 1].fd < 0) return 1;
    }
    puts("ready");
    fflush(stdout);
    while (poll(sockets, count - 1, -1) > 0)
        for (int i = 1; i < count; i++)
            if (sockets[i - 1].revents) print(sockets[i - 1].fd, names[i][0] == 's');
    return 0;
}
