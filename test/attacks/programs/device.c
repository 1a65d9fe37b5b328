// Uses a terminal or a device of the host in the way that the first argument names; the second is its path. Says `done`,
// `lacks` when the machine has no such device, or `refused` with the number of the error. `hold` is the host's part: it
// makes a terminal, prints its path and keeps it until the input ends.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int hold(void) {
    char byte;
    int ours = posix_openpt(O_RDWR | O_NOCTTY);
    if (ours < 0 || grantpt(ours) < 0 || unlockpt(ours) < 0) return 1;
    int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);
    if (theirs < 0 || write(ours, "typed\n", 6) != 6) return 1;
    puts(ptsname(ours));
    fflush(stdout);
    return read(0, &byte, 1) < 0;
}

static int frozen(int terminal) {
    return tcflow(terminal, TCOOFF) < 0 ? -1 : tcflow(terminal, TCOON);
}

// What was typed is there, so that reading does not wait; it is left to whom it was meant for.
static int overheard(int terminal) {
    int waiting = 0;
    struct pollfd polled = {terminal, POLLIN, 0};
    if (ioctl(terminal, FIONREAD, &waiting) < 0) return -1;
    return poll(&polled, 1, 0) == 1 && polled.revents & POLLIN ? 0 : -1;
}

static int forged(int terminal) { return write(terminal, "Password: ", 10) == 10 ? 0 : -1; }

static int changed(int terminal) {
    struct termios modes;
    if (tcgetattr(terminal, &modes) < 0) return -1;
    modes.c_lflag ^= ECHOPRT;
    return tcsetattr(terminal, TCSANOW, &modes);
}

// A loop device over a file of the command's own. Nothing of it stays.
static int attached(const char *control) {
    char path[] = "/tmp/handrail-loop-XXXXXX", name[64];
    int file = mkstemp(path), maker = open(control, O_RDONLY);
    if (maker < 0) return -1;
    if (file < 0) file = open("image", O_RDWR | O_CREAT, 0600);
    unlink(path);
    if (ftruncate(file, 1 << 20) < 0) return -1;
    // Another process may take the same one, or may just be giving it back, when it cannot be opened (ENXIO).
    for (int tries = 0; tries < 100; tries++) {
        snprintf(name, sizeof name, "/dev/loop%d", ioctl(maker, LOOP_CTL_GET_FREE));
        int loop = open(name, O_RDONLY);
        if (loop < 0 && errno == ENXIO) continue;
        if (loop < 0) return -1;
        if (ioctl(loop, LOOP_SET_FD, file) == 0) return ioctl(loop, LOOP_CLR_FD, 0);
        close(loop);
        if (errno != EBUSY) return -1;
    }
    return -1;
}

int main(int count, char **words) {
    if (count < 2) return 2;
    const char *how = words[1], *path = count > 2 ? words[2] : "";
    if (!strcmp(how, "hold")) return hold();
    int failed = -1;
    if (!strcmp(how, "loop")) failed = attached(path);
    else {
        int device = open(path, O_NOCTTY | O_NONBLOCK | (!strncmp(how, "write", 5) ? O_WRONLY : O_RDONLY));
        if (device >= 0 && !strcmp(how, "freeze")) failed = frozen(device);
        if (device >= 0 && !strcmp(how, "read")) failed = overheard(device);
        if (device >= 0 && !strcmp(how, "write")) failed = forged(device);
        if (device >= 0 && !strcmp(how, "modes")) failed = changed(device);
        if (device >= 0 && strstr(how, "open")) failed = 0;
    }
    if (!failed) puts("done");
    else printf("%s %d\n", errno == ENOENT ? "lacks" : "refused", errno);
    return failed != 0;
}
