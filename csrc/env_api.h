/* env_api.h - what the environments tell about boards. Read by cdef() too, see bulk_api.h. */

/* env.c: masks[4 * i + d] is 1 where bit d of legal[i] is set; max_tiles[i] the largest face value of boards[i] */
void bb_env_look(int cpu, const bb_board *boards, const uint8_t *legal, int8_t *masks, int64_t *max_tiles, size_t n);
