/* watch.h - how long work is told that the user wants it to end: asked at least every 100 ms. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stddef.h>

struct watch {
    bool (*stop)(void *context);
    void *context;
};

/* False for no watch at all. */
static inline bool watch_stop(const struct watch *watch)
{
    return watch != NULL && watch->stop != NULL && watch->stop(watch->context);
}

#endif
