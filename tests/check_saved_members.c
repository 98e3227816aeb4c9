/* Every member of a saved result in turn: missing, of another type, out of its range. */
#include "saved_document.h"

#include <stdio.h>

enum change { MISSING, IS_NULL, IS_TRUE, IS_TEXT, MINUS_ONE, HALVES, BEYOND, LARGEST, AN_ARRAY, AN_OBJECT, CHANGES };

#define BIT(CHANGE) (1U << (CHANGE))
enum { ALL = BIT(CHANGES) - 1 };

/* The members that are read, and which changes leave them good. */
static const struct {
    const char *place;
    unsigned good;
} members[] = {
    {"schema", 0},
    {"version", BIT(IS_TEXT)},
    {"started", BIT(IS_TEXT)},
    {"writes", BIT(IS_TEXT)},
    {"target", BIT(AN_ARRAY)},
    {"target[0]", 0},
    {"target[0].name", BIT(IS_TEXT)},
    {"mix", 0},
    {"mix.getattr", 0},
    {"mix_source", 0},
    {"mix_source.name", BIT(IS_TEXT)},
    {"environment", 0},
    {"environment.hostname", BIT(IS_TEXT)},
    {"environment.kernel", BIT(IS_TEXT)},
    {"environment.cpu_model", BIT(IS_NULL) | BIT(IS_TEXT)},
    {"environment.cpus", BIT(LARGEST)},
    {"environment.memory_bytes", BIT(LARGEST)},
    {"config", BIT(AN_OBJECT)},
    {"config.load", BIT(MISSING) | BIT(IS_NULL) | BIT(IS_TEXT)},
    {"config.proto", BIT(MISSING) | BIT(IS_NULL) | BIT(IS_TEXT)},
    {"config.time", BIT(MISSING) | BIT(IS_NULL) | BIT(HALVES)},
    {"config.warmup", BIT(MISSING) | BIT(IS_NULL) | BIT(HALVES)},
    {"config.procs", BIT(MISSING) | BIT(IS_NULL) | BIT(LARGEST)},
    {"config.io-size", BIT(MISSING) | BIT(IS_NULL) | BIT(LARGEST)},
    {"fileset", 0},
    {"fileset.files", BIT(LARGEST)},
    {"fileset.bytes", BIT(LARGEST)},
    {"points", BIT(AN_ARRAY)},
    {"points[0]", 0},
    {"points[0].phase", 0},
    {"points[0].repeat", 0},
    {"points[0].requested", BIT(HALVES)},
    {"points[0].achieved", BIT(HALVES)},
    {"points[0].seconds", BIT(HALVES)},
    {"points[0].calls", BIT(LARGEST)},
    {"points[0].errors", BIT(LARGEST)},
    {"points[0].unsent", BIT(LARGEST)},
    {"points[0].retransmits", BIT(LARGEST)},
    {"points[0].outstanding", 0},
    {"points[0].interrupted", BIT(IS_TRUE)},
    {"points[0].response_ms", 0},
    {"points[0].response_ms.mean", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].service_ms", 0},
    {"points[0].service_ms.mean", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].service_ms.p50", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].service_ms.p90", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].service_ms.p95", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].service_ms.p99", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].service_ms.p999", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].service_ms.max", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].ops", BIT(AN_OBJECT)},
    {"points[0].ops.getattr", BIT(MISSING)},
    {"points[0].ops.getattr.want", BIT(HALVES)},
    {"points[0].ops.getattr.got", BIT(IS_NULL) | BIT(HALVES)},
    {"points[0].ops.getattr.calls", BIT(LARGEST)},
    {"points[0].ops.getattr.errors", BIT(AN_OBJECT)},
    {"points[0].ops.getattr.errors.timeout", BIT(MISSING)},
    {"points[0].ops.getattr.service_ms", 0},
    {"points[0].ops.getattr.service_ms.mean", BIT(IS_NULL) | BIT(HALVES)},
    {"plateau", BIT(IS_NULL)},
    {"plateau.calls_per_sec", BIT(HALVES)},
    {"plateau.client_ceiling", BIT(IS_TRUE)},
    {"interrupted", BIT(IS_TRUE)},
    {"valid", BIT(IS_TRUE)},
    {"warnings", BIT(AN_ARRAY)},
    {"warnings[0]", 0},
    {"warnings[0].kind", BIT(IS_TEXT)},
    {"error", BIT(IS_NULL) | BIT(IS_TEXT)},
    /* not read */
    {"command", ALL},
    {"seed", ALL},
    {"limit", ALL},
    {"exit_status", ALL},
    {"target[0].port", ALL},
    {"mix_source.file", ALL},
    {"warnings[0].text", ALL},
    {"points[0].cpu", ALL},
};

static json_t *value_of(enum change change)
{
    switch (change) {
    case IS_TRUE:
        return json_true();
    case IS_TEXT:
        return json_string("x");
    case MINUS_ONE:
        return json_integer(-1);
    case HALVES:
        return json_real(1.5);
    case BEYOND:
        return json_real(1e300);
    case LARGEST:
        return json_integer(INT64_MAX);
    case AN_ARRAY:
        return json_array();
    case AN_OBJECT:
        return json_object();
    default:
        return json_null();
    }
}

/* Changes the value at a place like "points[0].calls". */
static void change_at(json_t *document, const char *place, enum change change)
{
    char name[64];
    json_t *at = document;
    while (true) {
        size_t length = strcspn(place, ".[");
        snprintf(name, sizeof name, "%.*s", (int)length, place);
        place += length;
        if (*place == '[') {
            at = json_object_get(at, name);
            ck_assert_msg(json_is_array(at), "%s", name);
            place += 3;
            if (*place == '\0') {
                change == MISSING ? json_array_clear(at) : json_array_set_new(at, 0, value_of(change));
                return;
            }
            at = json_array_get(at, 0);
        } else if (*place == '\0') {
            ck_assert_msg(json_object_get(at, name) != NULL, "%s", name);
            change == MISSING ? json_object_del(at, name) : json_object_set_new(at, name, value_of(change));
            return;
        } else {
            at = json_object_get(at, name);
        }
        place++;
    }
}

static void try_change(const char *place, enum change change, bool good)
{
    json_t *document = json_loads(whole, 0, NULL);
    ck_assert_ptr_nonnull(document);
    change_at(document, place, change);
    char *text = json_dumps(document, JSON_COMPACT);
    /* An array's first element cannot be missing: the array is empty then. */
    if (good || (change == MISSING && place[strlen(place) - 1] == ']')) {
        saved_free(accepted(text, strlen(text)));
    } else if (strncmp(place, "mix.", 4) == 0) {
        refused(text, strlen(text), "mix"); /* 1.5 % is a share, but not with what is left */
    } else if (strcmp(place, "points") == 0 && change == MISSING) {
        refused(text, strlen(text), "is a plan (--dry-run), not a result");
    } else if (strcmp(place, "schema") == 0 && change != IS_TEXT) {
        refused(text, strlen(text), "is not a result of nhfsstone");
    } else {
        refused(text, strlen(text), place);
    }
    free(text);
    json_decref(document);
}

START_TEST(every_member)
{
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        for (int change = 0; change < CHANGES; change++) {
            try_change(members[i].place, (enum change)change, (members[i].good >> change & 1) != 0);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {every_member};
    return run_tests("saved_members", tests, sizeof tests / sizeof tests[0]);
}
