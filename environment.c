#include "environment.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void read_cpu_model(char *model, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "re");
    model[0] = '\0';
    while (file != NULL && model[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(model, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

void environment_read(struct environment *environment)
{
    struct utsname name;
    struct sysinfo memory;
    cpu_set_t cpus;
    *environment = (struct environment){.cpus = 0};
    if (gethostname(environment->hostname, sizeof environment->hostname - 1) != 0) {
        environment->hostname[0] = '\0';
    }
    if (uname(&name) == 0) {
        snprintf(environment->kernel, sizeof environment->kernel, "%s %s %s", name.sysname, name.release, name.machine);
    }
    read_cpu_model(environment->cpu_model, sizeof environment->cpu_model);
    CPU_ZERO(&cpus);
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) {
        environment->cpus = (unsigned)CPU_COUNT(&cpus);
    }
    if (sysinfo(&memory) == 0) {
        environment->memory_bytes = (uint64_t)memory.totalram * memory.mem_unit;
    }
}

void environment_now(char text[21])
{
    struct tm broken_down;
    time_t now = time(NULL);
    if (gmtime_r(&now, &broken_down) == NULL || strftime(text, 21, "%Y-%m-%dT%H:%M:%SZ", &broken_down) == 0) {
        text[0] = '\0';
    }
}
