#include "mix_file.h"

#include <stdio.h>
#include <string.h>

/* ---- what is wanted ---- */

static bool wanted_part(struct slice part, struct mix_wanted *wanted)
{
    if (part.length == 0) {
        return true;
    }
    if (text_is(part, "server") || text_is(part, "client")) {
        enum side side = text_is(part, "server") ? SIDE_SERVER : SIDE_CLIENT;
        bool other = wanted->side != SIDE_UNKNOWN && wanted->side != side;
        wanted->side = side;
        return !other;
    }
    if ((part.text[0] == 'v' || part.text[0] == 'V') && part.length > 1) {
        part.text++;
        part.length--;
    }
    if (part.length == 1 && part.text[0] >= '2' && part.text[0] <= '4') {
        unsigned version = (unsigned)(part.text[0] - '0');
        bool other = wanted->version != 0 && wanted->version != version;
        wanted->version = version;
        return !other;
    }
    return false;
}

bool mix_wanted_parse(const char *text, struct mix_wanted *wanted)
{
    struct mix_wanted result = *wanted;
    while (*text != '\0') {
        size_t length = strcspn(text, ":");
        if (*text == '/') { /* a mount point may hold colons: it goes to the end */
            if (strlen(text) >= sizeof result.mount) {
                return false;
            }
            memcpy(result.mount, text, strlen(text) + 1);
            break;
        }
        if (!wanted_part((struct slice){text, length}, &result)) {
            return false;
        }
        text += length + (text[length] == ':');
    }
    *wanted = result;
    return true;
}

static bool is_mount(const struct nfsstat_table *table, const char *mount)
{
    return table->mount.length == strlen(mount) && memcmp(table->mount.text, mount, table->mount.length) == 0;
}

static bool is_wanted(const struct nfsstat_table *table, const struct mix_wanted *wanted)
{
    return (table->kind == TABLE_CALLS || table->kind == TABLE_OPERATIONS) &&
           (wanted->version == 0 || table->version == wanted->version) &&
           (wanted->side == SIDE_UNKNOWN || table->side == SIDE_UNKNOWN || table->side == wanted->side) &&
           (wanted->mount[0] == '\0' || is_mount(table, wanted->mount));
}

/* ---- tables ---- */

static struct dialect dialect_of(const struct nfsstat_table *table)
{
    return (struct dialect){.version = table->version,
                            .operations = table->kind == TABLE_OPERATIONS,
                            .v3_names = table->version == 4 && table->listed[OP_MKDIR]};
}

/* Calls or operations that somebody asked for: all but the carriers. */
static double requests(const struct nfsstat_table *table)
{
    double result = (double)table->total;
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        if (translation_fate(dialect_of(table), counter) == FATE_CARRIER) {
            result -= (double)table->count[counter];
        }
    }
    return result;
}

/* What chooses this table: ":server:v3", ":/mnt". */
static void selector_of(const struct nfsstat_table *table, char *text, size_t size)
{
    static const char *const sides[] = {"", ":server", ":client"};
    if (table->mount.length > 0) {
        snprintf(text, size, ":%.*s", (int)table->mount.length, table->mount.text);
    } else {
        snprintf(text, size, "%s:v%u", sides[table->side], table->version);
    }
}

/* Adds a word to a list in words, while there is room. */
static void add_word(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);
    if (used + strlen(word) + 3 < size) {
        snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
    } else if (used + 4 < size && used > 0 && list[used - 1] != '.') {
        snprintf(list + used, size - used, "...");
    }
}

void mix_list_titles(const struct nfsstat *stat, char *list, size_t size)
{
    snprintf(list, size, "%s", stat->count == 0 ? "none" : "");
    for (size_t i = 0; i < stat->count; i++) {
        add_word(list, size, stat->tables[i].title);
    }
}

/* The first table that is wanted and broken, unless what is wanted rules it out. */
static const struct nfsstat_table *broken_one(const struct nfsstat *stat, const struct mix_wanted *wanted)
{
    for (size_t i = 0; i < stat->count; i++) {
        if (is_wanted(&stat->tables[i], wanted) && stat->tables[i].broken) {
            return &stat->tables[i];
        }
    }
    return NULL;
}

static const struct nfsstat_table *largest(const struct nfsstat *stat, const struct mix_wanted *wanted)
{
    const struct nfsstat_table *best = NULL;
    for (size_t i = 0; i < stat->count; i++) {
        const struct nfsstat_table *table = &stat->tables[i];
        if (is_wanted(table, wanted) && !table->broken && (best == NULL || requests(table) > requests(best))) {
            best = table;
        }
    }
    return best;
}

static bool none_wanted(const struct nfsstat *stat, const char *file, const struct mix_wanted *wanted,
                        struct problem *problem)
{
    char titles[200];
    static const char *const sides[] = {"", " server", " client"};
    char version[16] = "";
    mix_list_titles(stat, titles, sizeof titles);
    if (stat->count == 0) {
        return problem_set(
            problem,
            "%.200s: no mix in it: expected 'op percent' lines, or what nfsstat, /proc/net/rpc/nfs, nfsd "
            "or /proc/self/mountstats print",
            file);
    }
    if (wanted->version == 0 && wanted->side == SIDE_UNKNOWN && wanted->mount[0] == '\0') {
        return problem_set(problem, "%.150s: no table in it that counts NFS ops: it has %s", file, titles);
    }
    if (wanted->version > 0) {
        snprintf(version, sizeof version, " v%u", wanted->version);
    }
    return problem_set(problem, "%.150s: no%s%s section%s%.80s in it: it has %s", file, sides[wanted->side], version,
                       wanted->mount[0] != '\0' ? " of " : "", wanted->mount, titles);
}

/* A broken table is passed over only by somebody who asks for another. */
static bool say_broken(const struct nfsstat *stat, const char *file, const struct nfsstat_table *broken,
                       const struct mix_wanted *wanted, struct problem *problem)
{
    const struct nfsstat_table *whole = largest(stat, wanted);
    char selector[MIX_SELECTOR_BYTES] = "";
    char same[MIX_SELECTOR_BYTES] = "";
    selector_of(broken, same, sizeof same);
    if (whole != NULL && whole->total > 0) {
        selector_of(whole, selector, sizeof selector);
    }
    if (selector[0] == '\0' || strcmp(selector, same) == 0 ||
        strlen(broken->why.text) + strlen(file) + strlen(selector) + 16 > sizeof problem->text) {
        *problem = broken->why;
        return false;
    }
    return problem_set(problem, "%s (%s%s is whole)", broken->why.text, file, selector);
}

static void note_choice(const struct nfsstat *stat, const char *file, const struct nfsstat_table *taken,
                        const struct mix_wanted *wanted, struct mix_origin *origin)
{
    char others[400] = "";
    char own[MIX_SELECTOR_BYTES];
    char selector[MIX_SELECTOR_BYTES];
    char example[2 * MIX_SELECTOR_BYTES] = "";
    bool equal = false;
    selector_of(taken, own, sizeof own);
    for (size_t i = 0; i < stat->count; i++) {
        const struct nfsstat_table *table = &stat->tables[i];
        char word[220];
        if (table == taken || !is_wanted(table, wanted) || table->total == 0) {
            continue;
        }
        equal = equal || requests(table) >= requests(taken);
        snprintf(word, sizeof word, "%s at line %lu (%.0f)", table->title, table->line, requests(table));
        add_word(others, sizeof others, word);
        selector_of(table, selector, sizeof selector);
        if (example[0] == '\0' && strcmp(selector, own) != 0) {
            snprintf(example, sizeof example, "; %.200s%s takes %s", file, selector, table->title);
        }
    }
    if (others[0] != '\0') {
        snprintf(origin->choice, sizeof origin->choice,
                 "%.100s: taking section %s at line %lu (%.0f requests)%s, not %s%s", file, taken->title, taken->line,
                 requests(taken),
                 wanted->preferred_version > 0 ? ""
                 : equal                       ? ", the first of the largest"
                                               : ", the largest",
                 others, example);
    }
}

static bool check_unknown(const struct nfsstat_table *table, const char *file, const struct mix_wanted *wanted,
                          struct mix_origin *origin, struct problem *problem)
{
    double percent = table->unknown_calls == 0 ? 0 : 100.0 * (double)table->unknown_calls / (double)table->total;
    origin->known_percent = 100 - percent;
    if (table->unknown_calls == 0) {
        return true;
    }
    if (!wanted->ignore_unknown) {
        return problem_set(problem,
                           "%.150s:%lu: '%s' is no NFS op that is known here (%llu calls, %.2f %%): --ignore-unknown "
                           "leaves it out",
                           file, table->unknown_line, table->unknown, (unsigned long long)table->unknown_calls,
                           percent);
    }
    snprintf(origin->unknown, sizeof origin->unknown, "%.100s: left out as unknown: %s (%llu calls, %.2f %%)", file,
             table->unknown, (unsigned long long)table->unknown_calls, percent);
    return true;
}

bool mix_choose(const struct nfsstat *stat, const char *file, const struct mix_wanted *wanted, struct mix *mix,
                struct mix_origin *origin, struct problem *problem)
{
    struct mix_wanted narrowed = *wanted;
    if (wanted->version == 0 && wanted->preferred_version > 0) {
        narrowed.version = wanted->preferred_version;
        const struct nfsstat_table *preferred = largest(stat, &narrowed);
        if (broken_one(stat, &narrowed) == NULL && (preferred == NULL || preferred->total == 0)) {
            narrowed.version = 0;
        }
    }
    const struct nfsstat_table *broken = broken_one(stat, &narrowed);
    const struct nfsstat_table *table = largest(stat, &narrowed);
    if (broken != NULL) {
        return say_broken(stat, file, broken, wanted, problem);
    }
    if (table == NULL) {
        return none_wanted(stat, file, wanted, problem);
    }
    if (table->total == 0) {
        return stat->differences ? problem_set(problem, "%.200s: nothing was counted between the two listings", file)
                                 : problem_set(problem, "%.200s:%lu: no calls in section '%s': every count is 0", file,
                                               table->line, table->title);
    }
    if (!check_unknown(table, file, wanted, origin, problem)) {
        return false;
    }
    if (table->unknown_calls == table->total) {
        return problem_set(problem, "%.200s:%lu: no known op has any calls in section '%s'", file, table->line,
                           table->title);
    }
    snprintf(origin->table, sizeof origin->table, "%s", table->title);
    origin->side = table->side;
    origin->dialect = dialect_of(table);
    origin->calls = table->total - table->unknown_calls;
    for (int counter = 0; counter < COUNTER_COUNT; counter++) {
        origin->share[counter] = 100.0 * (double)table->count[counter] / (double)origin->calls;
    }
    note_choice(stat, file, table, wanted, origin);
    if (table->wrapped[0] != '\0') {
        snprintf(origin->wrapped, sizeof origin->wrapped, "%.100s: taken to have wrapped around at 2^32: %s", file,
                 table->wrapped);
    }
    return mix_from_shares(file, origin, mix, problem);
}

/* ---- from shares to the mix ---- */

static void note_translation(const char *file, struct mix_origin *origin)
{
    static const char *const kinds[] = {
        [FATE_CARRIER] = "carriers of file handles", [FATE_STATE] = "state", [FATE_NO_V3] = "without an NFSv3 call"};
    char left[600] = "";
    for (int fate = FATE_CARRIER; fate <= FATE_NO_V3; fate++) {
        double points = 0;
        char names[80] = "";
        char words[200];
        for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
            if (translation_fate(origin->dialect, counter) == (enum fate)fate && origin->share[counter] > 0) {
                points += origin->share[counter];
                add_word(names, sizeof names, counter_name(counter));
            }
        }
        if (points > 0) {
            snprintf(words, sizeof words, "%s %.2f %% (%s)", kinds[fate], points, names);
            add_word(left, sizeof left, words);
        }
    }
    if (origin->dialect.version == 4 || left[0] != '\0') {
        snprintf(origin->translation, sizeof origin->translation,
                 "%.80s: NFSv%u ops taken for the NFSv3 calls that do the same (--dry-run shows which)%s%s", file,
                 origin->dialect.version, left[0] != '\0' ? "; left out: " : "", left);
    }
}

bool mix_from_shares(const char *file, struct mix_origin *origin, struct mix *mix, struct problem *problem)
{
    const char *slash = strrchr(file, '/');
    snprintf(origin->file, sizeof origin->file, "%s", file);
    note_translation(file, origin);
    snprintf(mix->name, sizeof mix->name, "%.60s", slash == NULL ? file : slash + 1);
    if (origin->table[0] == '\0') {
        snprintf(mix->source, sizeof mix->source, "%.150s: op percent lines%s", file,
                 origin->dialect.version == 3   ? ""
                 : origin->dialect.version == 4 ? " of NFSv4"
                                                : " of NFSv2");
    } else {
        snprintf(mix->source, sizeof mix->source, "%.120s: section %s, %llu %s", file, origin->table,
                 (unsigned long long)origin->calls, origin->dialect.operations ? "operations" : "calls");
    }
    if (!translate(origin->dialect, origin->share, mix->percent)) {
        const char *left_out = strstr(origin->translation, "; ");
        return problem_set(problem, "%.200s: nothing is left of it in NFSv3 calls%.250s", file,
                           left_out == NULL ? "" : left_out);
    }
    return true;
}

bool mix_parse(const char *text, size_t length, const char *file, const struct mix_wanted *wanted, struct mix *mix,
               struct mix_origin *origin, struct problem *problem)
{
    struct nfsstat stat;
    *mix = (struct mix){0};
    *origin = (struct mix_origin){0};
    if (memchr(text, '\0', length) != NULL) {
        return problem_set(problem, "%.200s: is not a text file (it holds zero bytes)", file);
    }
    if (mix_is_simple(text, length)) {
        return mix_parse_simple(text, length, file, wanted, mix, origin, problem);
    }
    bool good =
        nfsstat_parse(text, length, file, &stat, problem) && mix_choose(&stat, file, wanted, mix, origin, problem);
    nfsstat_free(&stat);
    return good;
}
