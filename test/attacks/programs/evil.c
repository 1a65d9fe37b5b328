// What the corpus calls evil.so: removes ./canary when it is loaded, and again as a built-in of bash.
#include <stddef.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) { unlink("canary"); }

static int evilrm(void *words) {
    (void)words;
    return unlink("canary") != 0;
}

// struct builtin of bash.
struct {
    const char *name;
    int (*run)(void *);
    int flags;
    const char *const *long_text;
    const char *text;
    const char *handle;
} evilrm_struct = {"evilrm", evilrm, 1, (const char *const[]){"evilrm", NULL}, "evilrm", NULL};
