#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool not_written(const char *option, const char *name, struct problem *problem)
{
    return problem_set(problem, "%s: cannot write %.300s: %m", option, name);
}

/* Writes and closes; errno says what went wrong. */
static bool put(FILE *out, const char *bytes, size_t length)
{
    bool good = fwrite(bytes, 1, length, out) == length && fflush(out) == 0;
    int error = errno;
    if (fclose(out) != 0 && good) {
        return false;
    }
    errno = error;
    return good;
}

/* The mode that a file made by open() would have. */
static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool replace(const char *option, const char *name, const char *target, const char *bytes, size_t length,
                    struct problem *problem)
{
    char temporary[PATH_MAX + 16];
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", target);
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        return problem_set(problem, "%s: cannot make a file beside %.300s: %m", option, name);
    }
    FILE *out = fdopen(fd, "w");
    if (out == NULL) {
        close(fd);
    }
    bool good = out != NULL && fchmod(fd, usual_mode()) == 0;
    good = out != NULL && put(out, bytes, length) && good;
    if (!good || rename(temporary, target) != 0) {
        int error = errno;
        unlink(temporary);
        errno = error;
        return not_written(option, name, problem);
    }
    return true;
}

bool output_write(const char *option, const char *name, const char *bytes, size_t length, struct problem *problem)
{
    char target[PATH_MAX];
    struct stat status;
    if (strcmp(name, "-") == 0) {
        fwrite(bytes, 1, length, stdout);
        return true;
    }
    if (strlen(name) >= sizeof target) {
        errno = ENAMETOOLONG;
        return not_written(option, name, problem);
    }
    bool there = stat(name, &status) == 0;
    if (there && !S_ISREG(status.st_mode)) {
        FILE *out = fopen(name, "we"); /* there is nothing that could be replaced */
        return (out != NULL && put(out, bytes, length)) || not_written(option, name, problem);
    }
    return replace(option, name, there && realpath(name, target) != NULL ? target : name, bytes, length, problem);
}

bool output_check(const char *option, const char *name, struct problem *problem)
{
    char temporary[PATH_MAX + 16];
    char target[PATH_MAX];
    struct stat status;
    if (strcmp(name, "-") == 0) {
        return true;
    }
    if (strlen(name) >= sizeof target) {
        errno = ENAMETOOLONG;
        return not_written(option, name, problem);
    }
    bool there = stat(name, &status) == 0;
    if (there && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return not_written(option, name, problem);
    }
    if (there && !S_ISREG(status.st_mode)) {
        return access(name, W_OK) == 0 || not_written(option, name, problem);
    }
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", there && realpath(name, target) != NULL ? target : name);
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        return problem_set(problem, "%s: cannot make a file beside %.300s: %m", option, name);
    }
    close(fd);
    unlink(temporary);
    return true;
}
