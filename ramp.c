#include "ramp.h"

#include <math.h>
#include <stdlib.h>

enum phase { CLIMB, PROBE, SEARCH, FINAL_PROBE, DONE };

/* Everything here is derived by feeding the points, one by one, to `feed`. */
struct state {
    const struct ramp_config *config;
    enum phase phase;
    unsigned outstanding;
    double asked; /* what to measure next */
    /* Points that say something at the present concurrency, by rising demand. */
    struct ramp_point known[RAMP_MAX_POINTS];
    size_t count;
    unsigned searched; /* points of the search at the present concurrency */
    bool unsettled;
    bool concurrency_limited;
    double with_twice;
};

/* What the known points say. Indexes into known[]; `none` where there is no such point. */
struct shape {
    double best;
    size_t base;     /* lowest demand that achieves the best rate within RAMP_GAIN */
    size_t flat_end; /* last of the unbroken run from base that does */
    size_t higher;   /* demands above base */
};

static bool reached(const struct ramp_point *point)
{
    return point->achieved >= RAMP_REACHED * point->asked;
}

static struct shape shape_of(const struct state *state)
{
    struct shape shape = {0};
    for (size_t i = 0; i < state->count; i++) {
        shape.best = fmax(shape.best, state->known[i].achieved);
    }
    double enough = (1 - RAMP_GAIN) * shape.best;
    while (shape.base < state->count && state->known[shape.base].achieved < enough) {
        shape.base++;
    }
    shape.flat_end = shape.base;
    while (shape.flat_end + 1 < state->count && state->known[shape.flat_end + 1].achieved >= enough) {
        shape.flat_end++;
    }
    shape.higher = state->count - shape.base - 1;
    return shape;
}

static void learn(struct state *state, const struct ramp_point *point)
{
    size_t at = state->count++;
    while (at > 0 && state->known[at - 1].asked > point->asked) {
        state->known[at] = state->known[at - 1];
        at--;
    }
    state->known[at] = *point;
}

/* With more calls outstanding, what was reached stays reached; what was missed is open again. */
static void raise_concurrency(struct state *state, unsigned outstanding)
{
    size_t kept = 0;
    for (size_t i = 0; i < state->count; i++) {
        if (reached(&state->known[i])) {
            state->known[kept++] = state->known[i];
        }
    }
    state->count = kept;
    state->searched = 0;
    state->unsettled = false;
    state->outstanding = outstanding;
}

static bool can_probe(const struct state *state)
{
    return state->outstanding * 2 <= state->config->max_outstanding;
}

static double clamp_load(double load)
{
    return fmin(fmax(load, RAMP_MIN_LOAD), RAMP_MAX_LOAD);
}

static void ask(struct state *state, enum phase phase, double load)
{
    state->phase = phase;
    state->asked = clamp_load(load);
}

/* The demand whose rate is the plateau's: past saturation if the rate stays flat there, else where it was best. */
static double plateau_demand(const struct state *state, const struct shape *shape)
{
    size_t best = shape->base;
    for (size_t i = shape->base; i <= shape->flat_end; i++) {
        if (shape->flat_end + 1 == state->count && state->known[i].asked >= 1.05 * shape->best) {
            return state->known[i].asked;
        }
        if (state->known[i].achieved > state->known[best].achieved) {
            best = i;
        }
    }
    return state->known[best].asked;
}

/* The next demand of the search; 0 when it knows enough. */
static double next_demand(const struct state *state, const struct shape *shape)
{
    const struct ramp_point *known = state->known;
    const struct ramp_point *base = &known[shape->base];
    bool saturated = base->achieved < 0.97 * base->asked;
    double highest = known[state->count - 1].asked;
    if (saturated && shape->base == 0) {
        /* The very first demand was too much: what it achieved should be within reach. */
        return fmin(base->achieved, base->asked / RAMP_RESOLUTION);
    }
    if (saturated && base->asked / known[shape->base - 1].asked > RAMP_RESOLUTION) {
        return sqrt(base->asked * known[shape->base - 1].asked);
    }
    if (!saturated && shape->base + 1 < state->count && known[shape->base + 1].asked / base->asked > RAMP_GAP) {
        /* A demand that was met, and one far above that achieved no more: the peak may be between them. */
        return sqrt(base->asked * known[shape->base + 1].asked);
    }
    if (shape->flat_end + 1 < state->count &&
        known[shape->flat_end + 1].asked / known[shape->flat_end].asked > RAMP_RESOLUTION) {
        return sqrt(known[shape->flat_end + 1].asked * known[shape->flat_end].asked);
    }
    if (highest < RAMP_FAR * shape->best && highest < RAMP_MAX_LOAD) {
        return RAMP_FAR * shape->best;
    }
    if (shape->higher < RAMP_HIGHER_DEMANDS && highest < RAMP_MAX_LOAD) {
        return 1.5 * highest;
    }
    return 0;
}

/* Goes on with the search, or ends it. */
static void search(struct state *state)
{
    struct shape shape = shape_of(state);
    if (shape.best <= 0) {
        state->phase = DONE;
        return;
    }
    double demand = next_demand(state, &shape);
    state->unsettled = demand > 0 && state->searched == RAMP_SEARCH_POINTS;
    if (demand > 0 && !state->unsettled) {
        state->searched++;
        ask(state, SEARCH, demand);
    } else if (can_probe(state)) {
        /* Where the rate stays flat, far enough beyond for all that twice as many calls outstanding might give. */
        bool flat = shape.flat_end + 1 == state->count;
        double highest = state->known[state->count - 1].asked;
        ask(state, FINAL_PROBE, flat ? fmax(highest, 2.1 * shape.best) : plateau_demand(state, &shape));
    } else {
        state->phase = DONE;
    }
}

/* A point with twice the calls outstanding came in: was it worth it? */
static bool probe_gained(const struct state *state, const struct ramp_point *point)
{
    return point->achieved > 0 && point->achieved >= (1 + RAMP_GAIN) * shape_of(state).best;
}

static void after_higher_concurrency(struct state *state, const struct ramp_point *point)
{
    raise_concurrency(state, point->outstanding);
    learn(state, point);
    if (reached(point)) {
        ask(state, CLIMB, 2 * point->asked);
    } else if (can_probe(state)) {
        ask(state, PROBE, point->asked);
    } else {
        search(state);
    }
}

static void feed(struct state *state, const struct ramp_point *point)
{
    switch (state->phase) {
    case CLIMB:
        learn(state, point);
        if (reached(point) && point->asked < RAMP_MAX_LOAD) {
            ask(state, CLIMB, 2 * point->asked);
        } else if (!state->config->fixed_concurrency && can_probe(state)) {
            ask(state, PROBE, point->asked);
        } else {
            search(state);
        }
        return;
    case PROBE:
        if (probe_gained(state, point)) {
            after_higher_concurrency(state, point);
        } else {
            search(state);
        }
        return;
    case SEARCH:
        learn(state, point);
        search(state);
        return;
    case FINAL_PROBE:
        if (!probe_gained(state, point)) {
            state->with_twice = point->achieved;
            state->phase = DONE;
        } else if (state->config->fixed_concurrency) {
            state->with_twice = point->achieved;
            state->concurrency_limited = true;
            state->phase = DONE;
        } else {
            after_higher_concurrency(state, point);
        }
        return;
    case DONE:
        return;
    }
}

struct ramp_decision ramp_decide(const struct ramp_config *config, const struct ramp_point *points, size_t count)
{
    struct state state = {.config = config, .phase = CLIMB, .outstanding = config->outstanding, .asked = RAMP_START};
    bool settled = count < RAMP_MAX_POINTS;
    for (size_t i = 0; i < count && i < RAMP_MAX_POINTS && state.phase != DONE; i++) {
        feed(&state, &points[i]);
    }
    struct ramp_decision decision = {.asked = state.asked, .outstanding = state.outstanding, .settled = settled};
    if (state.phase != DONE && settled) {
        decision.verdict = RAMP_MEASURE;
        if (state.phase == PROBE || state.phase == FINAL_PROBE) {
            decision.outstanding = 2 * state.outstanding;
        }
        return decision;
    }
    struct shape shape = shape_of(&state);
    if (shape.best <= 0) {
        decision.verdict = RAMP_NOTHING;
        return decision;
    }
    decision.verdict = RAMP_PLATEAU;
    decision.best = shape.best;
    decision.settled = settled && !state.unsettled;
    decision.asked = plateau_demand(&state, &shape);
    decision.with_twice = state.with_twice;
    decision.concurrency_limited = state.concurrency_limited;
    for (size_t i = shape.base + 1; i < state.count; i++) {
        double achieved = state.known[i].achieved;
        decision.collapses = decision.collapses || achieved < 0.9 * shape.best;
        decision.beyond = decision.beyond > 0 ? fmin(decision.beyond, achieved) : achieved;
    }
    return decision;
}
