/* search_cache.h - the values of afterstates that a search remembers: buckets of four, in memory of a fixed size. */
#ifndef BITBOARD_SEARCH_CACHE_H
#define BITBOARD_SEARCH_CACHE_H

#include "bitboard.h"

/* A bucket is a cache line of four entries. A board is hashed by a bijection whose upper bits are the
 * bucket's number; the tag is the hash without them, and in their place `age` and the depth. */
struct entry {
    uint64_t tag; /* 0: never written (a depth is at least 1) */
    double value;
};

enum { WAYS = 4, DEPTH_BITS = 5, AGE_BITS = 6, LEAST_BUCKET_BITS = DEPTH_BITS + AGE_BITS };
#define AGE_MASK (((UINT64_C(1) << AGE_BITS) - 1) << DEPTH_BITS)
#define DEPTH_MASK ((UINT64_C(1) << DEPTH_BITS) - 1)

BB_INLINE struct entry *bucket_of(const bb_search *search, uint64_t hash)
{
    return (struct entry *)search->cache + (hash >> (64 - search->bucket_bits)) * WAYS;
}

BB_INLINE uint64_t tag_of(const bb_search *search, uint64_t hash, int depth)
{
    return hash << search->bucket_bits | search->age | (uint64_t)depth;
}

/* The entry with this tag, or NULL. */
BB_INLINE struct entry *found(struct entry *bucket, uint64_t tag)
{
    for (int way = 0; way < WAYS; way++)
        if (bucket[way].tag == tag)
            return bucket + way;
    return NULL;
}

/* Keep a value, in the place of an entry of another age or else of the least depth. */
static void keep(const bb_search *search, struct entry *bucket, uint64_t tag, double value)
{
    struct entry *victim = bucket;
    uint64_t least = UINT64_MAX;
    for (int way = 0; way < WAYS; way++) {
        uint64_t worth = (bucket[way].tag & AGE_MASK) == search->age ? bucket[way].tag & DEPTH_MASK : 0;
        if (worth < least) {
            least = worth;
            victim = bucket + way;
        }
    }
    victim->tag = tag;
    victim->value = value;
}

#endif
