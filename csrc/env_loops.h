/* env_loops.h - the loop of env.c, compiled once for each CPU variant. */

static void VARIANT(look)(const bb_board *boards, const uint8_t *legal, int8_t *masks, int64_t *max_tiles, size_t n)
{
    for (size_t i = 0; i < n; i++)
        max_tiles[i] = (int64_t)((UINT32_C(1) << bb_largest(boards[i])) & ~UINT32_C(1)); /* 0 on an empty board */
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < 4; d++)
            masks[4 * i + (size_t)d] = (int8_t)(legal[i] >> d & 1);
}
