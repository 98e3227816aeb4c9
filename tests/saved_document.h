/* A saved result written by hand, with one point of each phase; and what changes such a document. */
#ifndef SAVED_DOCUMENT_H
#define SAVED_DOCUMENT_H

#include "check_common.h"
#include "saved.h"

#include <jansson.h>

#define TIMES(MEAN) \
    "{\"mean\":" MEAN ",\"p50\":0.5,\"p90\":0.9,\"p95\":0.95,\"p99\":0.99,\"p999\":1.5,\"max\":" MEAN "}"
#define NO_TIMES "{\"mean\":null,\"p50\":null,\"p90\":null,\"p95\":null,\"p99\":null,\"p999\":null,\"max\":null}"
#define POINT(PHASE, REPEAT, REQUESTED, ACHIEVED, MEAN)                                                            \
    "{\"phase\":\"" PHASE "\",\"repeat\":" REPEAT ",\"requested\":" REQUESTED ",\"achieved\":" ACHIEVED            \
    ",\"seconds\":10.0,\"calls\":1000,\"errors\":3,\"unsent\":4,\"retransmits\":5,\"outstanding\":2,\"cpu\":0.5,"  \
    "\"response_ms\":" TIMES("2.5") ",\"service_ms\":" TIMES(                                                      \
        MEAN) ",\"ops\":{\"getattr\":{\"want\":60.0,\"got\":75.0,\"calls\":750,\"errors\":{\"NFS3ERR_STALE\":1,"   \
              "\"timeout\":2},\"service_ms\":" TIMES("1.25") "},\"read\":{\"want\":40.0,\"got\":null,\"calls\":0," \
                                                             "\"errors\":{},\"service_ms\":" NO_TIMES "}},"        \
                                                             "\"interrupted\":false}"

static const char whole[] =
    "{\"schema\":\"nhfsstone-1\",\"version\":\"0.1.0\",\"command\":[\"nhfsstone\"],"
    "\"config\":{\"load\":\"auto\",\"time\":10.0,\"calls\":null,\"warmup\":2.0,\"repeat\":3,\"procs\":7,"
    "\"outstanding\":1,\"arrival\":\"poisson\",\"seed\":1,\"engine\":\"auto\",\"vers\":\"3\",\"proto\":\"tcp\","
    "\"sec\":\"sys\",\"timeout\":1.0,\"retrans\":3,\"file-size\":null,\"io-size\":8192,\"loopback\":\"no\"},"
    "\"target\":[{\"name\":\"a:/x\",\"port\":null},{\"name\":\"b:/y\",\"port\":2049}],"
    "\"mix\":{\"getattr\":60.0,\"read\":40},\"mix_source\":{\"name\":\"half\",\"file\":null},"
    "\"started\":\"2026-01-02T03:04:05Z\",\"seed\":1,"
    "\"environment\":{\"hostname\":\"client\",\"kernel\":\"Linux 6\",\"cpus\":2,\"cpu_model\":\"Fast\","
    "\"memory_bytes\":1000000},\"fileset\":{\"files\":1000,\"bytes\":27000000},\"writes\":\"file-sync\","
    "\"points\":[" POINT("ramp", "1", "100.0", "99.5", "0.75") "," POINT(
        "confirm", "2", "900", "800.5",
        "1.5") "," POINT("fixed", "1", "50", "50", "0.25") "],"
                                                           "\"plateau\":{\"calls_per_sec\":800.5,\"client_ceiling\":"
                                                           "false},\"limit\":null,\"interrupted\":false,"
                                                           "\"valid\":false,\"warnings\":[{\"kind\":\"LATE\",\"text\":"
                                                           "\"late\"},{\"kind\":\"ERRORS\",\"text\":\"some\"}],"
                                                           "\"error\":null,\"exit_status\":1}";

/* All that must be there, and no more. */
static const char minimal[] =
    "{\"schema\":\"nhfsstone-1\",\"version\":\"\",\"config\":{},\"target\":[],\"mix\":{\"null\":100},"
    "\"mix_source\":{\"name\":\"\"},\"started\":\"\",\"environment\":{\"hostname\":\"\",\"kernel\":\"\",\"cpus\":0,"
    "\"cpu_model\":null,\"memory_bytes\":0},\"fileset\":{\"files\":0,\"bytes\":0},\"writes\":\"\",\"points\":[],"
    "\"plateau\":null,\"interrupted\":true,\"valid\":false,\"warnings\":[],\"error\":\"no server\"}";

/* Memory of exactly its size, so that a read beyond it is seen. */
static inline struct saved *parse_exact(const char *text, size_t length, struct problem *problem)
{
    char *copy = malloc(length > 0 ? length : 1);
    must(copy != NULL);
    memcpy(copy, text, length);
    problem->text[0] = '\0';
    struct saved *saved = saved_parse(copy, length, "doc", problem);
    free(copy);
    return saved;
}

/* A document is a result, or there is one line that says why not. */
static inline void parse_any(const char *text, size_t length)
{
    struct problem problem;
    struct saved *saved = parse_exact(text, length, &problem);
    must(saved != NULL || (strncmp(problem.text, "doc: ", 5) == 0 && strlen(problem.text) > 10 &&
                           strpbrk(problem.text, "\n\r\033") == NULL));
    saved_free(saved);
}

/* Refused, with a line that begins with `begins` behind the file's name. */
static inline void refused(const char *text, size_t length, const char *begins)
{
    struct problem problem;
    struct saved *saved = parse_exact(text, length, &problem);
    ck_assert_msg(saved == NULL, "accepted: should be refused with '%s'", begins);
    check_problem(&problem);
    ck_assert_msg(strncmp(problem.text, "doc: ", 5) == 0 && strncmp(problem.text + 5, begins, strlen(begins)) == 0,
                  "'%s' does not begin with 'doc: %s'", problem.text, begins);
}

static inline struct saved *accepted(const char *text, size_t length)
{
    struct problem problem;
    struct saved *saved = parse_exact(text, length, &problem);
    ck_assert_msg(saved != NULL, "%s", problem.text);
    return saved;
}

#endif
