/*
 * Directories of the loopback file system: a hash table of the names, and the order of the entries by ever-growing
 * cookies, with holes where names went; both are rebuilt only when their size has changed by a factor, so that every
 * change costs O(1) on average.
 */
#include "loopback_fs_inside.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TABLE = 16, FIRST_ORDER = 16 };

/* The file system's magic is no secret, but it differs by instance: no fixed set of names collides everywhere. */
static uint64_t name_hash(const struct fs *fs, struct fs_name name)
{
    uint64_t hash = mix64(fs->magic ^ name.length);
    while (name.length > 0) {
        uint64_t word = 0;
        size_t span = name.length < sizeof word ? name.length : sizeof word;
        memcpy(&word, name.bytes, span);
        hash = mix64(hash ^ word);
        name.bytes += span;
        name.length -= span;
    }
    return hash;
}

static uint64_t entry_bytes(size_t name_length)
{
    return sizeof(struct dir_entry) + name_length;
}

bool name_is_dot(struct fs_name name)
{
    return name.length == 1 && name.bytes[0] == '.';
}

bool name_is_dot_dot(struct fs_name name)
{
    return name.length == 2 && name.bytes[0] == '.' && name.bytes[1] == '.';
}

/* RFC 1813, general comments on filenames. */
enum nfsstat3 name_check(struct fs_name name)
{
    if (name.length == 0 || memchr(name.bytes, '/', name.length) != NULL ||
        memchr(name.bytes, '\0', name.length) != NULL) {
        return NFS3ERR_ACCES;
    }
    return name.length > NFS3_MAXNAME ? NFS3ERR_NAMETOOLONG : NFS3_OK;
}

struct dir_entry *dir_find(const struct fs *fs, const struct fs_node *dir, struct fs_name name)
{
    const struct dir_data *data = &dir->u.dir;
    if (data->table_size == 0) {
        return NULL;
    }
    uint64_t hash = name_hash(fs, name);
    size_t mask = data->table_size - 1;
    for (size_t at = hash & mask; data->table[at] != NULL; at = (at + 1) & mask) {
        struct dir_entry *entry = data->table[at];
        if (entry->hash == hash && entry->length == name.length && memcmp(entry->name, name.bytes, name.length) == 0) {
            return entry;
        }
    }
    return NULL;
}

static void table_put(struct dir_data *data, struct dir_entry *entry)
{
    size_t mask = data->table_size - 1;
    size_t at = entry->hash & mask;
    while (data->table[at] != NULL) {
        at = (at + 1) & mask;
    }
    data->table[at] = entry;
}

static bool table_resize(struct fs *fs, struct dir_data *data, size_t size)
{
    if (!fs_charge(fs, size * sizeof(struct dir_entry *))) {
        return false;
    }
    struct dir_entry **table = calloc(size, sizeof(struct dir_entry *));
    if (table == NULL) {
        fs_refund(fs, size * sizeof(struct dir_entry *));
        return false;
    }
    free(data->table);
    fs_refund(fs, data->table_size * sizeof(struct dir_entry *));
    data->table = table;
    data->table_size = size;
    for (size_t i = 0; i < data->order_count; i++) {
        if (data->order[i].entry != NULL) {
            table_put(data, data->order[i].entry);
        }
    }
    return true;
}

/* Take an entry out, moving back those that its place had pushed on (so a search may still end at a gap). */
static void table_take(struct dir_data *data, const struct dir_entry *entry)
{
    size_t mask = data->table_size - 1;
    size_t gap = entry->hash & mask;
    while (data->table[gap] != entry) {
        gap = (gap + 1) & mask;
    }
    for (size_t at = (gap + 1) & mask; data->table[at] != NULL; at = (at + 1) & mask) {
        size_t home = data->table[at]->hash & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            data->table[gap] = data->table[at];
            gap = at;
        }
    }
    data->table[gap] = NULL;
}

/* Close the holes of the order. */
static void order_pack(struct dir_data *data)
{
    size_t kept = 0;
    for (size_t i = 0; i < data->order_count; i++) {
        if (data->order[i].entry != NULL) {
            data->order[kept] = data->order[i];
            data->order[kept].entry->position = kept;
            kept++;
        }
    }
    data->order_count = kept;
}

static bool order_resize(struct fs *fs, struct dir_data *data, size_t capacity)
{
    uint64_t had_bytes = data->order_capacity * sizeof *data->order;
    uint64_t bytes = capacity * sizeof *data->order;
    if (bytes > had_bytes && !fs_charge(fs, bytes - had_bytes)) {
        return false;
    }
    struct dir_place *order = realloc(data->order, bytes);
    if (order == NULL) {
        if (bytes > had_bytes) {
            fs_refund(fs, bytes - had_bytes);
        }
        return false;
    }
    if (bytes < had_bytes) {
        fs_refund(fs, had_bytes - bytes);
    }
    data->order = order;
    data->order_capacity = capacity;
    return true;
}

static bool dir_make_room(struct fs *fs, struct dir_data *data)
{
    if (data->order_count == data->order_capacity) {
        size_t capacity = data->order_capacity == 0 ? FIRST_ORDER : 2 * data->order_capacity;
        if (!order_resize(fs, data, capacity)) {
            return false;
        }
    }
    if (4 * (data->count + 1) > 3 * data->table_size) {
        return table_resize(fs, data, data->table_size == 0 ? FIRST_TABLE : 2 * data->table_size);
    }
    return true;
}

enum nfsstat3 dir_add(struct fs *fs, struct fs_node *dir, struct fs_name name, struct fs_node *node)
{
    struct dir_data *data = &dir->u.dir;
    if (!dir_make_room(fs, data) || !fs_charge(fs, entry_bytes(name.length))) {
        return NFS3ERR_NOSPC;
    }
    struct dir_entry *entry = malloc(entry_bytes(name.length));
    if (entry == NULL) {
        fs_refund(fs, entry_bytes(name.length));
        return NFS3ERR_NOSPC;
    }
    entry->node = node;
    entry->cookie = ++data->last_cookie;
    entry->hash = name_hash(fs, name);
    entry->position = data->order_count;
    entry->length = name.length;
    memcpy(entry->name, name.bytes, name.length);
    data->order[data->order_count++] = (struct dir_place){.cookie = entry->cookie, .entry = entry};
    data->count++;
    table_put(data, entry);
    return NFS3_OK;
}

void dir_drop(struct fs *fs, struct fs_node *dir, struct dir_entry *entry)
{
    struct dir_data *data = &dir->u.dir;
    table_take(data, entry);
    data->order[entry->position].entry = NULL;
    data->count--;
    fs_refund(fs, entry_bytes(entry->length));
    free(entry);
    size_t holes = data->order_count - data->count;
    if (holes > data->count && holes > FIRST_ORDER) {
        order_pack(data);
        /* Where shrinking fails, the larger table goes on to serve. */
        if (data->order_capacity > 4 * data->count + FIRST_ORDER) {
            (void)order_resize(fs, data, 2 * data->count + FIRST_ORDER);
        }
        if (data->table_size > 16 * data->count + FIRST_TABLE) {
            (void)table_resize(fs, data, data->table_size / 4);
        }
    }
}

void dir_free(struct fs *fs, struct fs_node *dir)
{
    struct dir_data *data = &dir->u.dir;
    for (size_t i = 0; i < data->order_count; i++) {
        if (data->order[i].entry != NULL) {
            fs_refund(fs, entry_bytes(data->order[i].entry->length));
            free(data->order[i].entry);
        }
    }
    fs_refund(fs, data->order_capacity * sizeof *data->order);
    fs_refund(fs, data->table_size * sizeof(struct dir_entry *));
    free(data->order);
    free(data->table);
}

enum nfsstat3 fs_list(struct fs *fs, struct fs_node *dir, uint64_t cookie, struct fs_cursor *cursor)
{
    if (dir->attr.type != NF3DIR) {
        return NFS3ERR_NOTDIR;
    }
    struct dir_data *data = &dir->u.dir;
    if (cookie > data->last_cookie) {
        return NFS3ERR_BAD_COOKIE;
    }
    size_t low = 0;
    size_t high = data->order_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (data->order[middle].cookie <= cookie) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *cursor = (struct fs_cursor){.dir = dir, .cookie = cookie, .position = low};
    dir->attr.atime_ns = fs_now(fs);
    return NFS3_OK;
}

bool fs_list_next(struct fs_cursor *cursor, struct fs_entry *entry)
{
    const struct dir_data *data = &cursor->dir->u.dir;
    if (cursor->cookie < 2) {
        bool dot = cursor->cookie == 0;
        cursor->cookie++;
        *entry = (struct fs_entry){
            .cookie = cursor->cookie,
            .name = {.bytes = "..", .length = dot ? 1 : 2},
            .node = dot ? cursor->dir : data->parent,
        };
        return true;
    }
    while (cursor->position < data->order_count) {
        const struct dir_place *place = &data->order[cursor->position++];
        if (place->entry != NULL) {
            cursor->cookie = place->cookie;
            *entry = (struct fs_entry){
                .cookie = place->cookie,
                .name = {.bytes = place->entry->name, .length = place->entry->length},
                .node = place->entry->node,
            };
            return true;
        }
    }
    return false;
}
