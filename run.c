#include "run.h"

#include "run_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STOP_GRACE_NS NS_PER_SEC /* for children to stop when interrupted */
#define EXIT_GRACE_NS (2 * NS_PER_SEC)

/* ---- signals ---- */

static void our_signals(sigset_t *set)
{
    struct sigaction hangup;
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGCHLD);
    /* nohup: ignored before we started, and a blocked signal would be queued all the same. */
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
        sigaddset(set, SIGHUP);
    }
}

/* From here on signals are read, not delivered. */
bool run_signals_open(struct run *run, struct problem *problem)
{
    sigset_t set;
    our_signals(&set);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    run->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return run->signal_fd >= 0 || problem_set(problem, "signalfd: %s", strerror(errno));
}

void run_take_signals(struct run *run)
{
    struct signalfd_siginfo info;
    while (read(run->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo != SIGCHLD && run->interrupted == 0) {
            run->interrupted = (int)info.ssi_signo;
            run->interrupted_ns = clock_ns();
            if (run->shared != NULL) {
                atomic_store(&run->shared->stop, 1);
            }
        }
    }
}

bool run_is_interrupted(void *context)
{
    struct run *run = context;
    run_take_signals(run);
    return run->interrupted != 0;
}

int run_interrupted(struct run *run)
{
    return run_is_interrupted(run) ? run->interrupted : 0;
}

/* ---- processes ---- */

/*
 * In a new process: signals that a terminal, a shell or a service manager sends to the whole group are the parent's
 * business, which ends its children in good order; they must not outlive it.
 */
static void become_child(pid_t parent)
{
    sigset_t set;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(3);
    }
    our_signals(&set);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void close_if_open(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

bool run_server_start(struct run *run, struct problem *problem)
{
    int stop[2];
    struct target *target = &run->loopback_target;
    struct loopback_config config = *run->config.loopback;
    config.armed = &run->shared->loaded;
    struct loopback *loopback = loopback_open(&config, problem);
    if (loopback == NULL) {
        return false;
    }
    loopback_ports(loopback, &run->facts.loopback_port, &run->facts.loopback_mount_port);
    *target = (struct target){.kind = TARGET_NFS, .path = "/", .port = run->facts.loopback_port};
    snprintf(target->host, sizeof target->host, "%s", run->config.loopback->listen);
    run->config.targets = target;
    run->config.target_count = 1;
    run->config.calls.mount_port = run->facts.loopback_mount_port;
    pid_t parent = getpid();
    fflush(NULL);
    if (pipe2(stop, O_CLOEXEC) != 0) {
        loopback_close(loopback);
        return problem_set(problem, "pipe: %s", strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0) {
        become_child(parent);
        close(stop[1]);
        close(run->signal_fd);
        loopback_run(loopback, stop[0]);
        loopback_close(loopback);
        exit(0);
    }
    close(stop[0]);
    loopback_close(loopback);
    run->server_stop = stop[1];
    if (pid < 0) {
        return problem_set(problem, "cannot start the built-in server: fork: %s", strerror(errno));
    }
    run->server_pid = pid;
    return true;
}

/* What a child needs to open its engine. */
struct opening {
    struct run *run;
    char scratch[128];
};

static bool child_stop(void *context)
{
    const struct run *run = context;
    return atomic_load_explicit(&run->shared->stop, memory_order_relaxed) != 0;
}

static struct engine *open_engine(void *context, unsigned index, struct problem *problem)
{
    struct opening *opening = context;
    struct run *run = opening->run;
    /* Targets are dealt to the children in turn. */
    size_t number = index % run->config.target_count;
    const struct run_target *target = &run->targets[number];
    const struct rpc_nfs_setup setup = {
        .server = &target->server,
        .options = &run->config.calls,
        .table = target->table,
        .stable = run->config.stable,
        .scratch_name = opening->scratch,
        .seed = run->config.seed,
        .proc = index,
        .watch = &run->watch,
        .counters = run->counters[index],
    };
    struct problem detail;
    struct engine *engine = rpc_nfs_open(&setup, &detail);
    if (engine == NULL) {
        problem_set(problem, "%s: child %u cannot connect to port %u: %s", run->config.targets[number].host, index,
                    target->server.port, detail.text);
    }
    return engine;
}

_Noreturn static void run_child(struct run *run, unsigned index, const int gate_fds[2], int report_fd)
{
    struct opening opening = {.run = run};
    snprintf(opening.scratch, sizeof opening.scratch, "run-%s-%ld-%u", run->host, (long)getppid(), index);
    run->watch = (struct watch){child_stop, run};
    struct child child = {
        .index = index,
        .procs = run->config.procs,
        .seed = run->config.seed,
        .mix = &run->config.mix,
        .arrival = run->config.arrival,
        .plan = &run->shared->plan,
        .stop = &run->shared->stop,
        .counters = run->counters[index],
        .open = open_engine,
        .open_context = &opening,
    };
    exit(child_main(&child, gate_fds, report_fd));
}

/* The parent's ends of the gates and of the report pipe; the children's ends come back in the arguments. */
static bool open_pipes(struct run *run, int gate_fds[2], int *report_fd, struct problem *problem)
{
    int ends[2];
    *report_fd = gate_fds[0] = gate_fds[1] = -1;
    for (int i = 0; i < 2; i++) {
        if (pipe2(ends, O_CLOEXEC) != 0) {
            return problem_set(problem, "pipe: %s", strerror(errno));
        }
        gate_fds[i] = ends[0];
        run->gates[i] = ends[1];
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return problem_set(problem, "pipe: %s", strerror(errno));
    }
    run->reports = ends[0];
    *report_fd = ends[1];
    fcntl(run->reports, F_SETFL, O_NONBLOCK);
    return true;
}

static void close_parents_ends(struct run *run)
{
    close_if_open(&run->gates[0]);
    close_if_open(&run->gates[1]);
    close_if_open(&run->reports);
    close_if_open(&run->signal_fd);
    close_if_open(&run->server_stop);
}

bool run_children_fork(struct run *run, struct problem *problem)
{
    int gate_fds[2];
    int report_fd;
    int error = 0;
    pid_t parent = getpid();
    bool good = open_pipes(run, gate_fds, &report_fd, problem);
    fflush(NULL);
    for (unsigned i = 0; good && error == 0 && i < run->config.procs; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            become_child(parent);
            close_parents_ends(run);
            run_child(run, i, gate_fds, report_fd);
        }
        if (pid < 0) {
            error = errno;
        } else {
            run->pids[i] = pid;
            run->forked = i + 1;
        }
    }
    close_if_open(&gate_fds[0]);
    close_if_open(&gate_fds[1]);
    close_if_open(&report_fd);
    return good &&
           (error == 0 || problem_set(problem, "fork of child %u of %u: %s (see ulimit -u; or use fewer --procs)",
                                      run->forked, run->config.procs, strerror(error)));
}

/* ---- phases ---- */

bool run_phase_is_over(const struct run *run)
{
    return run->reported == run->forked;
}

bool run_phase_start(struct run *run, struct problem *problem)
{
    char bytes[256] = {0};
    int gate = run->gates[run->turn++ % 2];
    run->reported = 0;
    for (unsigned left = run->forked; left > 0;) {
        ssize_t put = write(gate, bytes, left < sizeof bytes ? left : sizeof bytes);
        if (put < 0 && errno != EINTR) {
            run->broken = true;
            return problem_set(problem, "the children are gone: %s", strerror(errno));
        }
        left -= put > 0 ? (unsigned)put : 0;
    }
    return true;
}

/*
 * Takes the reports that are there. False: one is of a failure, after which the run cannot go on. While cleaning it
 * can: the others are heard, too, and the failure is kept for the end.
 */
static bool take_reports(struct run *run, struct problem *problem)
{
    struct child_report report;
    while (read(run->reports, &report, sizeof report) == (ssize_t)sizeof report) {
        run->reported++;
        if (report.kind != REPORT_FAILED) {
            continue;
        }
        report.problem.text[PROBLEM_SIZE - 1] = '\0';
        if (run->shared->plan.phase == PHASE_CLEAN) {
            run->unclean = report.problem;
            continue;
        }
        run->broken = true;
        return problem_set(problem, "%s", report.problem.text);
    }
    return true;
}

/* "was killed by signal 9 (Killed)" */
static void how_it_ended(int status, char *text, size_t size)
{
    if (WIFSIGNALED(status)) {
        snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(text, size, "ended with status %d", WEXITSTATUS(status));
    }
}

/* Children are not to end during a run: one that does breaks it. */
static bool take_deaths(struct run *run, struct problem *problem)
{
    int status = 0;
    char how[80];
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        how_it_ended(status, how, sizeof how);
        if (pid == run->server_pid) {
            run->server_pid = 0;
            run->broken = true;
            return problem_set(problem, "the built-in server %s", how);
        }
        for (unsigned i = 0; i < run->forked; i++) {
            if (run->pids[i] == pid) {
                run->pids[i] = 0;
                run->broken = true;
                /* Why it gave up is in its report, if it could still write one. */
                return take_reports(run, problem) &&
                       problem_set(problem, "child %u (process %ld) %s", i, (long)pid, how);
            }
        }
    }
    return true;
}

bool run_phase_await(struct run *run, int64_t until_ns, struct problem *problem)
{
    bool was_interrupted = run->interrupted != 0;
    for (;;) {
        run_take_signals(run);
        if (!take_reports(run, problem) || !take_deaths(run, problem)) {
            return false;
        }
        int64_t now_ns = clock_ns();
        if (run->interrupted != 0 && !was_interrupted) {
            was_interrupted = true;
            until_ns = now_ns + STOP_GRACE_NS;
        }
        if (run_phase_is_over(run) || now_ns >= until_ns) {
            return true;
        }
        run_show_load(run);
        int64_t wait_ms = (until_ns - now_ns) / NS_PER_MS + 1;
        struct pollfd fds[] = {{.fd = run->reports, .events = POLLIN}, {.fd = run->signal_fd, .events = POLLIN}};
        poll(fds, 2, wait_ms > 100 ? 100 : (int)wait_ms);
    }
}

/* ---- ending ---- */

static void wait_for_exit(struct run *run, int64_t until_ns)
{
    bool left = true;
    while (left && clock_ns() < until_ns) {
        left = false;
        for (unsigned i = 0; i < run->forked; i++) {
            if (run->pids[i] != 0 && waitpid(run->pids[i], NULL, WNOHANG) == run->pids[i]) {
                run->pids[i] = 0;
            }
            left = left || run->pids[i] != 0;
        }
        if (left) {
            struct timespec pause = {.tv_nsec = 2000000};
            nanosleep(&pause, NULL);
        }
    }
}

/* Only processes that we forked and have not yet waited for are killed: their numbers cannot be anyone else's. */
static void kill_children(struct run *run)
{
    for (unsigned i = 0; i < run->forked; i++) {
        if (run->pids[i] != 0) {
            kill(run->pids[i], SIGKILL);
        }
    }
    wait_for_exit(run, clock_ns() + EXIT_GRACE_NS);
}

void run_server_stop(struct run *run)
{
    close_if_open(&run->server_stop);
    if (run->server_pid == 0) {
        return;
    }
    /* In a hurry it is not asked: there is nothing of it to keep. */
    int64_t grace_ns = run->interrupted != 0 ? 0 : EXIT_GRACE_NS;
    for (int64_t until_ns = clock_ns() + grace_ns; clock_ns() < until_ns;) {
        struct timespec pause = {.tv_nsec = 2000000};
        if (waitpid(run->server_pid, NULL, WNOHANG) == run->server_pid) {
            run->server_pid = 0;
            return;
        }
        nanosleep(&pause, NULL);
    }
    kill(run->server_pid, SIGKILL);
    waitpid(run->server_pid, NULL, 0);
    run->server_pid = 0;
}

void run_children_end(struct run *run)
{
    close_if_open(&run->gates[0]);
    close_if_open(&run->gates[1]);
    if (run->forked > 0 && run->interrupted == 0 && !run->broken) {
        wait_for_exit(run, clock_ns() + EXIT_GRACE_NS);
    }
    kill_children(run);
    close_if_open(&run->reports);
}
