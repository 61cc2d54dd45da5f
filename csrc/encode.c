/* encode.c - boards into other arrays: their four slides, cells for networks, symmetric images. */
#include "bitboard.h"
#include "variants.h"

/* The order of the columns mirrored, as bb_flip_horizontal. */
BB_INLINE bb_board flipped(bb_board board)
{
    board = bb_exchange(board, UINT64_C(0x0F0F0F0F0F0F0F0F), 4);
    return bb_exchange(board, UINT64_C(0x00FF00FF00FF00FF), 8);
}

/* The order of the rows mirrored, as bb_flip_vertical. */
BB_INLINE bb_board upended(bb_board board)
{
    board = bb_exchange(board, UINT64_C(0x0000FFFF0000FFFF), 16);
    return board >> 32 | board << 32;
}

#define BB_LOOPS "encode_loops.h"
#include "variants_each.h"

void bb_afterstates_many(int cpu, const bb_board *boards, bb_board *afterstates, int32_t *rewards, uint8_t *legal,
                         size_t n)
{
    typedef void loop(const bb_board *, bb_board *, int32_t *, uint8_t *, size_t);
    static loop *const variants[] = BB_VARIANTS(afterstates);
    variants[cpu](boards, afterstates, rewards, legal, n);
}

void bb_exponents_many(int cpu, const bb_board *boards, uint8_t *out, size_t n)
{
    typedef void loop(const bb_board *, uint8_t *, size_t);
    static loop *const variants[] = BB_VARIANTS(exponents);
    variants[cpu](boards, out, n);
}

void bb_one_hot_many(int cpu, const bb_board *boards, uint8_t *out, size_t n)
{
    typedef void loop(const bb_board *, uint8_t *, size_t);
    static loop *const variants[] = BB_VARIANTS(one_hot);
    variants[cpu](boards, out, n);
}

void bb_one_hot_float_many(int cpu, const bb_board *boards, float *out, size_t n)
{
    typedef void loop(const bb_board *, float *, size_t);
    static loop *const variants[] = BB_VARIANTS(one_hot_float);
    variants[cpu](boards, out, n);
}

void bb_symmetries_many(int cpu, const bb_board *boards, bb_board *out, size_t n)
{
    typedef void loop(const bb_board *, bb_board *, size_t);
    static loop *const variants[] = BB_VARIANTS(symmetries);
    variants[cpu](boards, out, n);
}
