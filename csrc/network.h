/* network.h - n-tuple networks inside C: images, indices, values. network_api.h has the definitions. */
#ifndef BITBOARD_NETWORK_H
#define BITBOARD_NETWORK_H

#include "atomics.h"
#include "bitboard.h"

/* Before a loop over the images: one vector operation, where gcc would unroll it first and then find no vectors. */
#if defined(__GNUC__) && !defined(__clang__)
#define BB_AS_VECTOR _Pragma("GCC unroll 1")
#else
#define BB_AS_VECTOR
#endif

enum { BB_IMAGES = 8 };

/* The order of the cells reversed. */
BB_INLINE bb_board bb_rotated_180(bb_board board)
{
    return bb_flipped_horizontal(bb_flipped_vertical(board));
}

/* The eight images, in the order of network_api.h. */
BB_INLINE void bb_images(bb_board board, bb_board image[BB_IMAGES])
{
    image[0] = board;
    image[1] = bb_flipped_horizontal(board);
    image[2] = bb_rotated_180(board);
    image[3] = bb_flipped_vertical(board);
    for (int x = 0; x < 4; x++)
        image[x + 4] = bb_transposed(image[x]);
}

/* The sum of the face values. */
BB_INLINE uint32_t bb_sum_of_tiles(bb_board board)
{
    uint32_t sum = 0;
    for (int shift = 0; shift < 64; shift += 4)
        sum += (UINT32_C(1) << (board >> shift & 15)) & ~UINT32_C(1);
    return sum;
}

/* The number of the first entry of the board's stage. */
BB_INLINE uint64_t bb_stage_base(const bb_network *network, bb_board board)
{
    uint64_t base = 0;
    if (network->stages > 1) {
        uint64_t measure = network->measure ? bb_sum_of_tiles(board) : bb_largest(board);
        for (uint32_t s = 1; s < network->stages; s++)
            base += measure >= network->stage_from[s] ? network->entries : 0;
    }
    return base;
}

/* The entries of a board: [pattern][image]. */
BB_INLINE void bb_indices(const bb_network *network, bb_board board, uint64_t (*index)[BB_IMAGES])
{
    bb_board image[BB_IMAGES];
    uint64_t base = bb_stage_base(network, board);
    bb_images(board, image);
    for (uint32_t p = 0; p < network->patterns; p++) {
        const struct bb_pattern *pattern = &network->pattern[p];
        uint64_t sum[BB_IMAGES], offset = base + pattern->offset, shift = pattern->shift[0], mask = pattern->mask[0];
        BB_AS_VECTOR
        for (int x = 0; x < BB_IMAGES; x++)
            sum[x] = offset + (image[x] >> shift & mask);
        for (uint32_t r = 1; r < pattern->runs; r++) {
            shift = pattern->shift[r];
            mask = pattern->mask[r];
            BB_AS_VECTOR
        for (int x = 0; x < BB_IMAGES; x++)
                sum[x] += image[x] >> shift & mask;
        }
        BB_AS_VECTOR
        for (int x = 0; x < BB_IMAGES; x++)
            index[p][x] = sum[x];
    }
}

BB_INLINE double bb_sum_of_images(const double s[BB_IMAGES])
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Threads that learn, and those that read meanwhile, share weights and errors without locks, by design: an update may
 * be lost, and no number is half of one and half of another, since 32 bits are loaded and stored whole on all
 * processors. The thread sanitizer is told so, and finds whatever else would race; to say it in all builds keeps
 * compilers from making vectors of these loops. */
#if defined(__SANITIZE_THREAD__)
BB_INLINE double bb_shared(const float *entry)
{
    float value;
    __atomic_load(entry, &value, __ATOMIC_RELAXED);
    return (double)value;
}
BB_INLINE void bb_share(float *entry, double value)
{
    float single = (float)value;
    __atomic_store(entry, &single, __ATOMIC_RELAXED);
}
#else
BB_INLINE double bb_shared(const float *entry) { return (double)*entry; }
BB_INLINE void bb_share(float *entry, double value) { *entry = (float)value; }
#endif

/* The value at these entries. */
BB_INLINE double bb_value_at(const float *weights, uint32_t patterns, uint64_t (*index)[BB_IMAGES])
{
    double s[BB_IMAGES];
    for (int x = 0; x < BB_IMAGES; x++)
        s[x] = bb_shared(weights + index[0][x]);
    for (uint32_t p = 1; p < patterns; p++)
        for (int x = 0; x < BB_IMAGES; x++)
            s[x] += bb_shared(weights + index[p][x]);
    return bb_sum_of_images(s);
}

BB_INLINE void bb_prefetch_weights(const float *weights, uint32_t patterns, uint64_t (*index)[BB_IMAGES])
{
    for (uint32_t p = 0; p < patterns; p++)
        for (int x = 0; x < BB_IMAGES; x++)
            PREFETCH(weights + index[p][x]);
}

/* How many bits are set. */
BB_INLINE uint64_t bb_ones(uint64_t word)
{
#if defined(__GNUC__) /* an instruction, where the loop that this is inlined into may use it */
    return (uint64_t)__builtin_popcountll(word);
#else
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    return ((word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101) >> 56;
#endif
}

/* The places in `multiples` of entries of a packed network. No branch: which are there is hard to predict. */
BB_INLINE uint64_t bb_place_of(const uint64_t *blocks, uint64_t entry)
{
    uint64_t word = blocks[entry / 1024];
    uint32_t upto = (uint32_t)word << (31 - entry / 32 % 32); /* the block's bit on top, those before it below */
    uint64_t there = 0 - (uint64_t)(upto >> 31);
    return (((word >> 32) + bb_ones(upto)) * 32 + entry % 32) & there;
}

/* The sum of the multiples at these places. */
BB_INLINE double bb_packed_value_at(const bb_network *network, uint64_t (*place)[BB_IMAGES])
{
    int32_t sum = 0;
    for (uint32_t p = 0; p < network->patterns; p++)
        for (int x = 0; x < BB_IMAGES; x++)
            sum += network->multiples[place[p][x]];
    return network->step * (double)sum;
}

/* The value at what bb_network_fetch made of indices, dense or packed. */
BB_INLINE double bb_network_value_at(const bb_network *network, uint64_t (*index)[BB_IMAGES])
{
    return network->weights ? bb_value_at(network->weights, network->patterns, index)
                            : bb_packed_value_at(network, index);
}

/* Prefetch what is at these entries; those of a packed network become places. */
BB_INLINE void bb_network_fetch(const bb_network *network, uint64_t (*index)[BB_IMAGES])
{
    if (network->weights) {
        bb_prefetch_weights(network->weights, network->patterns, index);
        return;
    }
    for (uint32_t p = 0; p < network->patterns; p++)
        for (int x = 0; x < BB_IMAGES; x++) {
            index[p][x] = bb_place_of(network->blocks, index[p][x]);
            PREFETCH(network->multiples + index[p][x]);
        }
}

/* Weights have changed. Of two threads at once one is enough: that the number is another one is all that is asked. */
BB_INLINE void bb_network_changed(bb_network *network)
{
    bb_atomic_store(&network->changes, (bb_atomic_load(&network->changes) + 1) & INT32_MAX);
}

/* The value of an afterstate, for loops that are compiled once for each CPU variant. */
BB_INLINE double bb_network_value_of(const bb_network *network, bb_board afterstate)
{
    uint64_t index[BB_NETWORK_PATTERNS][BB_IMAGES];
    bb_indices(network, afterstate, index);
    bb_network_fetch(network, index);
    return bb_network_value_at(network, index);
}

#endif
