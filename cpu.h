/* cpu.h - idle time of the CPUs this process may run on, from /proc/stat: was there CPU left for the generator? */
#ifndef CPU_H
#define CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sum of the idle and I/O-wait times (proc_stat(5)) of the CPUs whose bit is set in `allowed` (NULL: all), in clock
 * ticks, from the text of /proc/stat. False when no CPU of them is listed. *cpus is how many are. Pure.
 */
bool cpu_parse_idle(const char *text, const unsigned char *allowed, size_t allowed_bytes, uint64_t *idle_ticks,
                    unsigned *cpus);

/* The same of this machine now, in ns; false where /proc/stat cannot be read. */
bool cpu_idle_ns(int64_t *idle_ns, unsigned *cpus);

#endif
