/* Running gnuplot: no shell, and files in memory in place of pipes, so that nobody can block and no signal can come. */
#include "plot_inside.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t plot_deadline_ns = 60 * NS_PER_SEC;

/* The child's standard input, output and error. */
enum { SCRIPT, PICTURE, ERRORS, FILES };

static bool write_all(int fd, const char *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t n = write(fd, bytes + done, length - done);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* All of a file, with a zero behind it; NULL: out of memory or unreadable. */
static char *read_all(int fd, size_t *length)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return NULL;
    }
    size_t size = (size_t)status.st_size;
    char *bytes = malloc(size + 1);
    size_t done = 0;
    while (bytes != NULL && done < size) {
        ssize_t n = pread(fd, bytes + done, size - done, (off_t)done);
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            free(bytes);
            return NULL;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    if (bytes != NULL) {
        bytes[size] = '\0';
        *length = size;
    }
    return bytes;
}

/* 0 or what went wrong. */
static int start(const int *files, pid_t *pid)
{
    /* Not the user's settings: a picture is the same everywhere. */
    char name[] = "gnuplot";
    char no_settings[] = "-d";
    char *const arguments[] = {name, no_settings, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE); /* ignored and blocked signals would stay so in gnuplot */
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    /* The files were opened in this order: none of them is overwritten before its turn, even if it is one of 0 to 2. */
    for (int i = 0; i < FILES && error == 0; i++) {
        error = posix_spawn_file_actions_adddup2(&actions, files[i], i);
    }
    if (error == 0) {
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        error = posix_spawnp(pid, name, &actions, &attributes, arguments, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Waits for gnuplot, which does not outlive the deadline. */
static bool finish(pid_t pid, int *status, struct problem *problem)
{
    static const struct timespec moment = {.tv_nsec = 5 * NS_PER_MS};
    int64_t deadline = clock_ns() + plot_deadline_ns;
    pid_t got = 0;
    while ((got = waitpid(pid, status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
        if (clock_ns() >= deadline) {
            kill(pid, SIGKILL);
            while (waitpid(pid, status, 0) < 0 && errno == EINTR) {
            }
            return problem_set(problem, "--plot: gnuplot has not finished after %g s",
                               (double)plot_deadline_ns / NS_PER_SEC);
        }
        nanosleep(&moment, NULL);
    }
    return got == pid || problem_set(problem, "--plot: cannot wait for gnuplot: %m");
}

/* gnuplot shows the line of the script, a mark under the place, and then what is wrong: the last line that says
 * something. */
static char *last_line(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    char *line = strrchr(text, '\n');
    line = line == NULL ? text : line + 1;
    return line + strspn(line, " \t\r");
}

static bool not_installed(struct problem *problem)
{
    return problem_set(problem, "--plot: gnuplot is not installed (Debian: gnuplot-nox)");
}

static bool succeeded(int status, const int *files, struct problem *problem)
{
    size_t length = 0;
    if (WIFSIGNALED(status)) {
        return problem_set(problem, "--plot: gnuplot was ended by signal %d", WTERMSIG(status));
    }
    if (WEXITSTATUS(status) == 0) {
        return true;
    }
    if (WEXITSTATUS(status) == 127) {
        return not_installed(problem); /* how posix_spawnp may say so: it does under valgrind */
    }
    char *errors = read_all(files[ERRORS], &length);
    char *line = errors == NULL ? NULL : last_line(errors);
    if (line == NULL || *line == '\0') {
        problem_set(problem, "--plot: gnuplot failed with status %d", WEXITSTATUS(status));
    } else {
        problem_set(problem, "--plot: gnuplot failed: %.300s", line);
    }
    free(errors);
    return false;
}

static bool run(const int *files, struct problem *problem)
{
    pid_t pid = 0;
    int status = 0;
    int error = start(files, &pid);
    if (error == ENOENT) {
        return not_installed(problem);
    }
    if (error != 0) {
        return problem_set(problem, "--plot: cannot start gnuplot: %s", strerror(error));
    }
    return finish(pid, &status, problem) && succeeded(status, files, problem);
}

char *plot_gnuplot(const char *script, size_t length, size_t *output_length, struct problem *problem)
{
    static const char *const names[FILES] = {"script", "picture", "errors"};
    int files[FILES] = {-1, -1, -1};
    bool good = true;
    char *output = NULL;
    for (int i = 0; i < FILES && good; i++) {
        files[i] = memfd_create(names[i], MFD_CLOEXEC);
        good = files[i] >= 0;
    }
    good = good && write_all(files[SCRIPT], script, length) && lseek(files[SCRIPT], 0, SEEK_SET) == 0;
    if (!good) {
        problem_set(problem, "--plot: cannot make a file in memory: %m");
    }
    if (good && run(files, problem)) {
        output = read_all(files[PICTURE], output_length);
        if (output == NULL) {
            problem_set(problem, "--plot: cannot read what gnuplot wrote: %m");
        } else if (*output_length == 0) {
            problem_set(problem, "--plot: gnuplot wrote nothing");
            free(output);
            output = NULL;
        }
    }
    for (int i = 0; i < FILES; i++) {
        if (files[i] >= 0) {
            close(files[i]);
        }
    }
    return output;
}
