/* network_pack.c - stages made of others, and few entries of a network, in steps: which to keep, the packed form.
 *
 * Entries lie together, so those in use are looked up as whole blocks of 32, of which one in eight is there:
 *
 *      blocks     0 . 2 3 . . | ...      blocks[0] = 0b1101: of these 32 blocks 0, 2 and 3 are there
 *      multiples [ zeros | block 0 | block 2 | block 3 | ...
 *
 * The words for all blocks are small enough to stay in a cache. Blocks of 16 and of 64 are a little slower, and bits
 * for entries instead of blocks by a quarter. */
#include "network.h"

#include <math.h>
#include <string.h>

/* The bits of a float that is not negative: they are ordered as the floats are. */
static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t entries_of(const bb_network *network) { return network->stages * network->entries; }

/* What an entry is worth: what its absence costs where it is met. 0 if it was never met or does nothing. */
static uint32_t worth(const bb_network *network, uint64_t i)
{
    double a = (double)network->errors[2 * i + 1];
    return a > 0 ? bits_of((float)(a * fabs((double)network->weights[i]))) : 0;
}

/* The keep-th largest worth, and how many entries that have just this are to be kept. */
static uint32_t least_kept(const bb_network *network, uint64_t keep, uint64_t *of_equal)
{
    uint64_t above = 0, n = entries_of(network);
    uint32_t known = 0; /* the upper bits of the answer, byte by byte */
    for (int shift = 24; shift >= 0; shift -= 8) {
        uint64_t count[256] = {0};
        int digit = 255;
        for (uint64_t i = 0; i < n; i++) {
            uint32_t bits = worth(network, i);
            if (bits && (uint64_t)bits >> (shift + 8) == known)
                count[bits >> shift & 255]++;
        }
        while (digit > 0 && above + count[digit] < keep)
            above += count[digit--];
        known = known << 8 | (uint32_t)digit;
    }
    *of_equal = keep - above;
    return known;
}

/* The nearest integer, of two the even one, of a number below 2**51; a larger one stays large. */
static double rounded(double x)
{
    const double large = 6755399441055744.0; /* 1.5 * 2**52: doubles near it are the integers */
    volatile double sum = x + large;
    return sum - large;
}

/* The exponents from this one on belong to a later stage; 16 for the last stage. */
static uint32_t first_beyond(const bb_network *network, uint32_t stage)
{
    if (stage + 1 == network->stages)
        return 16;
    uint64_t from = network->stage_from[stage + 1];
    uint32_t k = (uint32_t)(from < 16 ? from : 16);
    if (network->measure)
        for (k = 1; k < 16 && UINT64_C(1) << k < from;)
            k++;
    return k;
}

/* Forget entries that no board of their stage has: split() copies them with the others. */
static void forget_beyond(bb_network *network)
{
    uint64_t i = 0;
    for (uint32_t stage = 0; stage < network->stages; stage++) {
        const uint32_t ones = 0x01010101, add = (128 - first_beyond(network, stage)) * ones;
        for (uint32_t p = 0; p < network->patterns; p++)
            for (uint64_t left = UINT64_C(1) << 4 * network->pattern[p].cells, index = 0; index < left; index++, i++) {
                uint32_t even = (uint32_t)index & 15 * ones, odd = (uint32_t)index >> 4 & 15 * ones;
                if (((even + add) | (odd + add)) & 128 * ones)
                    network->weights[i] = network->errors[2 * i] = network->errors[2 * i + 1] = 0;
            }
    }
}

uint64_t bb_network_shrink(bb_network *network, uint64_t keep)
{
    BB_ASSERT(network->weights && network->errors && keep >= 1);
    uint64_t of_equal, kept = 0, n = entries_of(network);
    forget_beyond(network);
    uint32_t least = least_kept(network, keep, &of_equal);
    for (uint64_t i = 0; i < n; i++) {
        float *e = network->errors + 2 * i;
        uint32_t bits = worth(network, i);
        int is_kept = bits && bits >= least;
        if (is_kept && bits == least) {
            is_kept = of_equal > 0;
            of_equal -= is_kept ? 1 : 0;
        }
        if (is_kept) {
            kept++;
        } else {
            network->weights[i] = 0;
            e[0] = 0;
            e[1] = -1;
        }
    }
    bb_network_changed(network);
    return kept;
}

void bb_network_hasten(bb_network *network, uint64_t first, uint64_t stop)
{
    for (uint64_t i = 2 * first; i < 2 * stop; i++)
        network->errors[i] = (float)((double)network->errors[i] * 0.1);
}

size_t bb_network_pack(const bb_network *network, double step, uint32_t *gaps, int16_t *multiples)
{
    BB_ASSERT(network->weights && step > 0);
    size_t count = 0;
    uint64_t n = entries_of(network), before = UINT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        double multiple;
        if (network->weights[i] == 0)
            continue;
        multiple = rounded((double)network->weights[i] / step);
        if (!(fabs(multiple) <= 32767) || i - before > UINT32_MAX)
            return SIZE_MAX;
        if (multiple == 0)
            continue;
        if (gaps)
            gaps[count] = (uint32_t)(i - before);
        if (multiples)
            multiples[count] = (int16_t)multiple;
        before = i;
        count++;
    }
    return count;
}

size_t bb_network_blocks(const bb_network *network, const uint32_t *gaps, size_t n, uint64_t *blocks)
{
    uint64_t at = UINT64_MAX, entries = entries_of(network), words = (entries + 1023) / 1024, before = 0;
    memset(blocks, 0, (size_t)words * sizeof *blocks);
    for (size_t i = 0; i < n; i++) {
        uint64_t left = at == UINT64_MAX ? entries : entries - 1 - at;
        if (gaps[i] == 0 || gaps[i] > left)
            return 0;
        at += gaps[i];
        blocks[at / 1024] |= UINT64_C(1) << at / 32 % 32;
    }
    for (uint64_t w = 0; w < words; w++) {
        uint64_t here = bb_ones(blocks[w]);
        blocks[w] |= before << 32;
        before += here;
    }
    return (size_t)(before + 1) * 32;
}

void bb_network_unpack(const uint64_t *blocks, const uint32_t *gaps, const int16_t *packed, size_t n,
                       int16_t *multiples)
{
    uint64_t at = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        at += gaps[i];
        multiples[bb_place_of(blocks, at)] = packed[i];
    }
}
