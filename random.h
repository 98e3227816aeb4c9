/*
 * random.h - the pseudo-random numbers every choice of a run derives from.
 *
 * xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47, 2021), its state
 * filled by splitmix64 from (seed, stream): children with one seed and different streams draw independent sequences.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <math.h>
#include <stdint.h>

struct rng {
    uint64_t state[4];
};

/* One step of splitmix64 (Steele, Lea and Flood, OOPSLA 2014): also a good hash of an integer. */
static inline uint64_t mix64(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static inline void rng_init(struct rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t value = mix64(seed) ^ mix64(~stream);
    for (int i = 0; i < 4; i++) {
        value += UINT64_C(0x9e3779b97f4a7c15);
        rng->state[i] = mix64(value);
    }
}

static inline uint64_t rng_rotate(uint64_t value, int by)
{
    return value << by | value >> (64 - by);
}

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rng_rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

/* Uniform in (0, 1]: never 0, so its logarithm is finite. */
static inline double rng_unit(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 1.0) * 0x1p-53;
}

/* Uniform in [0, bound), bound > 0; the bias of the multiplication is under bound / 2^64. */
static inline uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    __extension__ typedef unsigned __int128 u128;
    return (uint64_t)(((u128)rng_next(rng) * bound) >> 64);
}

/* Exponentially distributed with mean 1. */
static inline double rng_exponential(struct rng *rng)
{
    return -log(rng_unit(rng));
}

#endif
