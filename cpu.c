#include "cpu.h"

#include "units.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STAT_BYTES = 1 << 20 };

static bool is_allowed(unsigned cpu, const unsigned char *allowed, size_t allowed_bytes)
{
    return allowed == NULL || (cpu / 8 < allowed_bytes && (allowed[cpu / 8] >> (cpu % 8) & 1) != 0);
}

/* The next decimal number at *at, which moves behind it; false when there is none. */
static bool take_number(const char **at, uint64_t *value)
{
    char *end = NULL;
    const char *start = *at + strspn(*at, " ");
    if (*start < '0' || *start > '9') {
        return false;
    }
    *value = strtoull(start, &end, 10);
    *at = end;
    return true;
}

bool cpu_parse_idle(const char *text, const unsigned char *allowed, size_t allowed_bytes, uint64_t *idle_ticks,
                    unsigned *cpus)
{
    enum { IDLE = 3, IOWAIT = 4, COLUMNS };
    *idle_ticks = 0;
    *cpus = 0;
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        uint64_t cpu = 0;
        uint64_t value[COLUMNS];
        int columns = 0;
        line += *line == '\n';
        /* cpuN user nice system idle iowait ... ; the first line, "cpu ", is the sum. */
        if (strncmp(line, "cpu", 3) != 0 || line[3] == ' ') {
            continue;
        }
        const char *at = line + 3;
        bool good = take_number(&at, &cpu);
        while (good && columns < COLUMNS && take_number(&at, &value[columns])) {
            columns++;
        }
        if (columns == COLUMNS && cpu < UINT32_MAX && is_allowed((unsigned)cpu, allowed, allowed_bytes)) {
            *idle_ticks += value[IDLE] + value[IOWAIT];
            (*cpus)++;
        }
    }
    return *cpus > 0;
}

bool cpu_idle_ns(int64_t *idle_ns, unsigned *cpus)
{
    cpu_set_t set;
    uint64_t ticks = 0;
    long per_sec = sysconf(_SC_CLK_TCK);
    FILE *file = fopen("/proc/stat", "re");
    char *text = malloc(STAT_BYTES);
    bool good = false;
    if (file != NULL && text != NULL && per_sec > 0 && sched_getaffinity(0, sizeof set, &set) == 0) {
        text[fread(text, 1, STAT_BYTES - 1, file)] = '\0';
        good = cpu_parse_idle(text, (const unsigned char *)&set, sizeof set, &ticks, cpus);
        *idle_ns = (int64_t)(ticks * (uint64_t)(NS_PER_SEC / per_sec));
    }
    if (file != NULL) {
        fclose(file);
    }
    free(text);
    return good;
}
