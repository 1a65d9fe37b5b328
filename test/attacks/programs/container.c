// Runs a program as a container or a distribution would: the first argument names it, the second the user, the rest is the
// program. Only what decides about confinement is imitated: capabilities, refused system calls, masked folders, read-only
// control groups. It is started as root.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/filter.h>

#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define CAPABILITY(number) (1ULL << (number))
#define PODMAN_CAPABILITIES                                                                                        \
    (CAPABILITY(CAP_CHOWN) | CAPABILITY(CAP_DAC_OVERRIDE) | CAPABILITY(CAP_FOWNER) | CAPABILITY(CAP_FSETID) |      \
     CAPABILITY(CAP_KILL) | CAPABILITY(CAP_SETGID) | CAPABILITY(CAP_SETUID) | CAPABILITY(CAP_SETPCAP) |            \
     CAPABILITY(CAP_NET_BIND_SERVICE) | CAPABILITY(CAP_SYS_CHROOT) | CAPABILITY(CAP_SETFCAP))
#define DOCKER_CAPABILITIES                                                                                        \
    (PODMAN_CAPABILITIES | CAPABILITY(CAP_NET_RAW) | CAPABILITY(CAP_MKNOD) | CAPABILITY(CAP_AUDIT_WRITE))
#define ALL_CAPABILITIES (~0ULL)

// What Docker refuses without CAP_SYS_ADMIN, and containerd too, which Kubernetes calls RuntimeDefault.
static const int ADMIN_CALLS[] = {
    SYS_bpf, SYS_fanotify_init, SYS_fsconfig, SYS_fsmount, SYS_fsopen, SYS_fspick, SYS_mount, SYS_mount_setattr,
    SYS_move_mount, SYS_open_tree, SYS_perf_event_open, SYS_quotactl, SYS_setdomainname, SYS_sethostname, SYS_setns,
    SYS_syslog, SYS_umount2, SYS_unshare, 0};
// What every container of theirs is refused, without capabilities that none of these rows has.
static const int REFUSED_CALLS[] = {
    SYS_acct, SYS_add_key, SYS_clock_settime, SYS_delete_module, SYS_finit_module, SYS_init_module, SYS_io_uring_enter,
    SYS_io_uring_register, SYS_io_uring_setup, SYS_kcmp, SYS_kexec_file_load, SYS_kexec_load, SYS_keyctl,
    SYS_open_by_handle_at, SYS_pidfd_getfd, SYS_pivot_root, SYS_process_madvise, SYS_reboot, SYS_request_key,
    SYS_settimeofday, SYS_swapoff, SYS_swapon, SYS_userfaultfd, 0};
// Podman lets a container make namespaces and mount in them.
static const int PODMAN_REFUSED_CALLS[] = {
    SYS_acct, SYS_add_key, SYS_bpf, SYS_clock_settime, SYS_delete_module, SYS_fanotify_init, SYS_finit_module,
    SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_kcmp, SYS_kexec_file_load,
    SYS_kexec_load, SYS_open_by_handle_at, SYS_perf_event_open, SYS_process_madvise, SYS_quotactl, SYS_request_key,
    SYS_settimeofday, SYS_swapoff, SYS_swapon, SYS_userfaultfd, 0};
static const int LANDLOCK_CALLS[] = {SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self, 0};

struct row {
    const char *name;
    unsigned long long capabilities;
    const int *refused[3];
    int error;
    // Whether flags of clone that make namespaces are refused, and clone3, whose flags no filter sees.
    int clone;
    // Whether a user namespace can be made, and nothing in it, as on Ubuntu.
    int only_users;
    // Whether parts of /proc are masked.
    int masks;
    int own_users;
    int no_new_privileges;
    // A file by which people tell where they are.
    const char *marker;
    const char *variable;
};

#define DOCKER "/.dockerenv"
#define PODMAN "/run/.containerenv"
#define UBUNTU "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
#define KUBERNETES "KUBERNETES_SERVICE_HOST"

static const struct row ROWS[] = {
    {.name = "docker", DOCKER_CAPABILITIES, {REFUSED_CALLS, ADMIN_CALLS}, EPERM, .clone = 1, .masks = 1,
     .marker = DOCKER},
    {.name = "docker-added", DOCKER_CAPABILITIES | CAPABILITY(CAP_SYS_ADMIN) | CAPABILITY(CAP_NET_ADMIN), {REFUSED_CALLS},
     EPERM, .masks = 1, .marker = DOCKER},
    {.name = "docker-unconfined", DOCKER_CAPABILITIES, {0}, 0, .masks = 1, .marker = DOCKER},
    {.name = "podman", PODMAN_CAPABILITIES, {PODMAN_REFUSED_CALLS}, ENOSYS, .masks = 1, .own_users = 1, .marker = PODMAN},
    {.name = "kubernetes", 0, {REFUSED_CALLS, ADMIN_CALLS}, EPERM, .clone = 1, .masks = 1, .no_new_privileges = 1,
     .variable = KUBERNETES},
    {.name = "kubernetes-added", 0, {0}, 0, .masks = 1, .no_new_privileges = 1, .variable = KUBERNETES},
    {.name = "ubuntu", ALL_CAPABILITIES, {0}, 0, .own_users = 1, .only_users = 1, .marker = UBUNTU},
    {.name = "no-landlock", ALL_CAPABILITIES, {LANDLOCK_CALLS}, EOPNOTSUPP},
};

static void fail(const char *what) {
    perror(what);
    exit(2);
}

static struct sock_filter code[256];
static unsigned short length;

static void add(unsigned short operation, unsigned char yes, unsigned char no, unsigned value) {
    code[length++] = (struct sock_filter){operation, yes, no, value};
}

static void load(unsigned offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }
static void skip_unless(unsigned call, unsigned char count) { add(BPF_JMP | BPF_JEQ | BPF_K, 0, count, call); }
static void answer(unsigned error) { add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error); }

static void filter(const struct row *row) {
    load(offsetof(struct seccomp_data, nr));
    for (int list = 0; list < 3 && row->refused[list]; list++)
        for (const int *call = row->refused[list]; *call; call++) {
            skip_unless(*call, 1);
            answer(row->error);
        }
    if (row->clone) {
        skip_unless(SYS_clone3, 1);
        answer(ENOSYS);
        skip_unless(SYS_clone, 4);
        load(offsetof(struct seccomp_data, args[0]));
        add(BPF_JMP | BPF_JSET | BPF_K, 0, 1, NAMESPACES);
        answer(row->error);
        load(offsetof(struct seccomp_data, nr));
    }
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {length, code};
    if (length > 2 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0) fail("seccomp");
}

static void try_mount(const char *from, const char *to, const char *kind, unsigned long flags) {
    if (mount(from, to, kind, flags, kind[0] ? "mode=755" : NULL) < 0) fail(to);
}

// A root directory of its own that shows all folders of the machine's, for files that the machine must not have.
static void enter_root(void) {
    char path[PATH_MAX], target[PATH_MAX];
    try_mount("row", "/mnt", "tmpfs", 0);
    DIR *root = opendir("/");
    for (struct dirent *entry; root && (entry = readdir(root));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !strcmp(entry->d_name, "mnt")) continue;
        snprintf(path, sizeof path, "/mnt/%s", entry->d_name);
        if (entry->d_type == DT_LNK) {
            ssize_t length = readlink(path + 4, target, sizeof target - 1);
            if (length < 0) fail(path);
            target[length] = 0;
            if (symlink(target, path) < 0) fail(path);
        } else if (entry->d_type == DT_DIR) {
            if (mkdir(path, 0755) < 0) fail(path);
            if (strcmp(entry->d_name, "run")) try_mount(path + 4, path, "", MS_BIND | MS_REC);
        }
    }
    closedir(root);
    if (chdir("/mnt") < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
        fail("root");
}

static void mark(const char *marker) {
    enter_root();
    if (!strcmp(marker, UBUNTU)) try_mount("row", "/proc/sys/kernel", "tmpfs", 0);
    FILE *file = fopen(marker, "w");
    if (!file || fputs("1\n", file) < 0 || fclose(file) != 0) fail(marker);
}

// Without control groups, as in a container: whether a machine has them is nothing of these rows.
static void protect_groups(void) {
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};
    if (syscall(SYS_mount_setattr, AT_FDCWD, "/sys", AT_RECURSIVE, &attributes, sizeof attributes) < 0) fail("/sys");
}

static void mask(void) {
    if (mount("row", "/proc/sys/kernel/keys", "tmpfs", MS_RDONLY, "size=0") < 0) fail("/proc");
    if (mount("/proc/sys", "/proc/sys", "", MS_BIND | MS_REC, "") < 0 ||
        mount("", "/proc/sys", "", MS_BIND | MS_REMOUNT | MS_RDONLY, "") < 0)
        fail("/proc/sys");
}

static void write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    if (file < 0 || write(file, text, strlen(text)) < 0) fail(path);
    close(file);
}

static void write_map(pid_t process, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    write_text(path, "0 0 65536");
}

// A user namespace with as many users as a rootless container has; a process outside of it writes them.
static void enter_users(void) {
    int pipes[2], status = 0;
    pid_t self = getpid();
    if (pipe(pipes) < 0) fail("pipe");
    pid_t outside = fork();
    if (outside == 0) {
        char byte;
        if (read(pipes[0], &byte, 1) < 0) _exit(1);
        write_map(self, "uid_map");
        write_map(self, "gid_map");
        _exit(0);
    }
    if (unshare(CLONE_NEWUSER) < 0 || write(pipes[1], "", 1) < 0) fail("users");
    if (waitpid(outside, &status, 0) < 0 || status != 0) fail("users");
    close(pipes[0]);
    close(pipes[1]);
}

// Keeps these capabilities and no others, for good.
static void keep(unsigned long long capabilities) {
    for (int number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; number++)
        if (!(capabilities & CAPABILITY(number)) && prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0) fail("capabilities");
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &head, data) < 0) fail("capget");
    for (int half = 0; half < 2; half++) {
        data[half].effective = data[half].permitted &= capabilities >> 32 * half;
        data[half].inheritable = 0;
    }
    if (syscall(SYS_capset, &head, data) < 0) fail("capset");
}

int main(int count, char **words) {
    const struct row *row = ROWS;
    if (count < 4) return 2;
    while (strcmp(row->name, words[1]) != 0)
        if (++row == ROWS + sizeof ROWS / sizeof *ROWS) return 2;
    uid_t user = atoi(words[2]);
    if (unshare(CLONE_NEWNS) < 0) fail("namespace");
    try_mount("", "/", "", MS_REC | MS_PRIVATE);
    if (row->marker) mark(row->marker);
    if (row->variable) setenv(row->variable, "10.0.0.1", 1);
    protect_groups();
    if (row->masks) mask();
    if (row->own_users) enter_users();
    if (row->only_users) {
        write_text("/proc/sys/user/max_mnt_namespaces", "0");
        write_text("/proc/sys/user/max_net_namespaces", "0");
    }
    // The filter needs no_new_privs of those that have no CAP_SYS_ADMIN, so it comes while there is one.
    if (row->no_new_privileges) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    filter(row);
    if (user != 0 && (setgroups(0, NULL) < 0 || setgid(user) < 0 || setuid(user) < 0)) fail("user");
    if (user == 0) keep(row->capabilities);
    execvp(words[3], words + 3);
    fail(words[3]);
}
