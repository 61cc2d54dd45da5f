/* many.c - one operation on an array of boards. */
#include "bitboard.h"
#include "lanes.h"
#include "variants.h"

#define BB_LOOPS "many_loops.h"
#include "variants_each.h"

typedef void loop(const bb_board *boards, uint64_t *out, size_t n);
typedef void spawn_loop(const bb_board *boards, const uint64_t *random64, uint64_t *out, size_t n);

void bb_move_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    BB_ASSERT(direction >= 0 && direction < 4);
    static loop *const moves[4][BB_X86_VARIANTS ? 3 : 1] = {
        BB_VARIANTS(move_up), BB_VARIANTS(move_right), BB_VARIANTS(move_down), BB_VARIANTS(move_left)};
    moves[direction][cpu](boards, out, n);
}

void bb_reward_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    BB_ASSERT(direction >= 0 && direction < 4);
    static loop *const rows[] = BB_VARIANTS(reward_rows);
    static loop *const columns[] = BB_VARIANTS(reward_columns);
    (direction == BB_LEFT || direction == BB_RIGHT ? rows : columns)[cpu](boards, out, n);
}

void bb_legal_moves_many(int cpu, const bb_board *boards, uint64_t *out, size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    static loop *const variants[] = BB_VARIANTS(legal_moves);
    variants[cpu](boards, out, n);
}

void bb_spawn_many(int cpu, const bb_board *boards, const uint64_t *random64, uint64_t *out, size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    static spawn_loop *const variants[] = BB_VARIANTS(spawn);
    variants[cpu](boards, random64, out, n);
}
