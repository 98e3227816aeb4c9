/* json.h - documents to be saved, as JSON (jansson). */
#ifndef JSON_H
#define JSON_H

#include "measure.h"
#include "report_plan.h"

/*
 * Writes the plan of a --dry-run: schema, command, config (every option's effective value by its long name), target (as
 * given; nothing is contacted), mix, mix_source. To standard output when `file` is "-"; else the file appears complete
 * or not at all. False and a line.
 */
bool json_save_plan(const struct plan *plan, int argc, char **argv, const char *file, struct problem *problem);

/*
 * Writes a result, as far as it got: what the plan has, and started, seed, environment, fileset, writes, points,
 * plateau, limit, interrupted, valid, warnings, error, exit_status. Times in ms, rates in calls/s; null where there is
 * no number. schema/nhfsstone-1.json describes it all. False and a line.
 */
bool json_save_result(const struct result *result, const struct plan *plan, int argc, char **argv, const char *file,
                      struct problem *problem);

#endif
