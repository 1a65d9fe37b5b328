// A library that says that it was loaded: makes the file `ran` beside itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
    Dl_info self;
    char path[4096];
    if (!dladdr((void *)loaded, &self) || !self.dli_fname) return;
    snprintf(path, sizeof path, "%s", self.dli_fname);
    char *slash = strrchr(path, '/');
    if (!slash) return;
    snprintf(slash, sizeof path - (slash - path), "/ran");
    int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (file >= 0) close(file);
}
