/* encode.c - boards into other arrays: their four slides, cells for networks, symmetric images. */
#include "bitboard.h"
#include "variants.h"

#define BB_LOOPS "encode_loops.h"
#include "variants_each.h"

void bb_afterstates_many(int cpu, const bb_board *boards, bb_board *afterstates, int32_t *rewards, uint8_t *legal,
                         size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    typedef void loop(const bb_board *, bb_board *, int32_t *, uint8_t *, size_t);
    static loop *const variants[] = BB_VARIANTS(afterstates);
    variants[cpu](boards, afterstates, rewards, legal, n);
}

void bb_exponents_many(int cpu, const bb_board *boards, uint8_t *out, size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    typedef void loop(const bb_board *, uint8_t *, size_t);
    static loop *const variants[] = BB_VARIANTS(exponents);
    variants[cpu](boards, out, n);
}

void bb_one_hot_many(int cpu, const bb_board *boards, uint8_t *out, size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    typedef void loop(const bb_board *, uint8_t *, size_t);
    static loop *const variants[] = BB_VARIANTS(one_hot);
    variants[cpu](boards, out, n);
}

void bb_one_hot_float_many(int cpu, const bb_board *boards, float *out, size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    typedef void loop(const bb_board *, float *, size_t);
    static loop *const variants[] = BB_VARIANTS(one_hot_float);
    variants[cpu](boards, out, n);
}

void bb_symmetries_many(int cpu, const bb_board *boards, bb_board *out, size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    typedef void loop(const bb_board *, bb_board *, size_t);
    static loop *const variants[] = BB_VARIANTS(symmetries);
    variants[cpu](boards, out, n);
}
