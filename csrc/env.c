/* env.c - what an environment tells about its boards beside the boards themselves. */
#include "bitboard.h"
#include "variants.h"

#define BB_LOOPS "env_loops.h"
#include "variants_each.h"

typedef void loop(const bb_board *boards, const uint8_t *legal, int8_t *masks, int64_t *max_tiles, size_t n);

void bb_env_look(int cpu, const bb_board *boards, const uint8_t *legal, int8_t *masks, int64_t *max_tiles, size_t n)
{
    static loop *const variants[] = BB_VARIANTS(look);
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    variants[cpu](boards, legal, masks, max_tiles, n);
}
