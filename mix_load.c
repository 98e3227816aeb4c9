#include "mix_load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct named {
    char file[1024];
    struct mix_wanted wanted;
    char *text;
    size_t length;
};

static bool exists(const char *file)
{
    return strcmp(file, "-") == 0 || access(file, F_OK) == 0;
}

/* What the file is called in messages. */
static const char *title(const struct named *named)
{
    return strcmp(named->file, "-") == 0 ? "standard input" : named->file;
}

/* Cuts what is wanted off the end of the name, unless a file has the whole name. */
static bool split(const char *name, const struct mix_wanted *wanted, struct named *named, struct problem *problem)
{
    *named = (struct named){.wanted = *wanted};
    if (strlen(name) >= sizeof named->file) {
        return problem_set(problem, "mix: a file name longer than %zu bytes", sizeof named->file - 1);
    }
    memcpy(named->file, name, strlen(name) + 1);
    if (exists(name)) {
        return true;
    }
    for (const char *colon = strchr(name, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        size_t length = (size_t)(colon - name);
        named->file[length] = '\0';
        if (exists(named->file)) {
            return mix_wanted_parse(colon + 1, &named->wanted) ||
                   problem_set(
                       problem,
                       "mix '%.200s': behind the file's name: server or client, v2, v3 or v4, each once (and the "
                       "same for both files of --mix-from), a mount point, with "
                       "colons between",
                       name);
        }
        named->file[length] = ':';
    }
    return true; /* opening it will say that there is none */
}

static bool load(struct named *named, struct problem *problem)
{
    bool standard = strcmp(named->file, "-") == 0;
    FILE *file = standard ? stdin : fopen(named->file, "re");
    if (file == NULL) {
        return problem_set(problem, "mix '%.200s': no built-in mix of this name, and no file: %m (see --mix list)",
                           named->file);
    }
    named->text = malloc(MIX_FILE_MOST_BYTES + 1);
    named->length = named->text == NULL ? 0 : fread(named->text, 1, MIX_FILE_MOST_BYTES + 1, file);
    bool good = false;
    if (named->text == NULL || ferror(file)) {
        problem_set(problem, "%.200s: cannot be read: %m", title(named));
    } else if (named->length > MIX_FILE_MOST_BYTES) {
        problem_set(problem, "%.200s: longer than %d MiB: not a mix file", title(named), MIX_FILE_MOST_BYTES >> 20);
    } else {
        good = true;
    }
    if (!standard) {
        fclose(file);
    }
    return good;
}

bool mix_load(const char *name, const struct mix_wanted *wanted, struct mix *mix, struct mix_origin *origin,
              struct problem *problem)
{
    struct named named;
    *origin = (struct mix_origin){.dialect = {.version = 3}, .known_percent = 100};
    if (mix_builtin(name, mix)) {
        memcpy(origin->share, mix->percent, sizeof mix->percent);
        return true;
    }
    bool good = split(name, wanted, &named, problem) && load(&named, problem) &&
                mix_parse(named.text, named.length, title(&named), &named.wanted, mix, origin, problem);
    free(named.text);
    return good;
}

bool mix_load_between(const char *before, const char *after, const struct mix_wanted *wanted, struct mix *mix,
                      struct mix_origin *origin, struct problem *problem)
{
    struct named earlier;
    struct named later = {.text = NULL};
    if (strcmp(before, "-") == 0 && strcmp(after, "-") == 0) {
        return problem_set(problem, "--mix-from: only one of the two files can be standard input");
    }
    /* What is wanted may stand behind either name. */
    bool good = split(before, wanted, &earlier, problem) && split(after, &earlier.wanted, &later, problem) &&
                load(&earlier, problem) && load(&later, problem) &&
                mix_between(earlier.text, earlier.length, title(&earlier), later.text, later.length, title(&later),
                            &later.wanted, mix, origin, problem);
    free(earlier.text);
    free(later.text);
    return good;
}
