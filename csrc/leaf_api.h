/* leaf_api.h - the one-board functions that Python calls: the module bitboard.core._leaf.
 *
 * cffi's cdef() reads this file as it stands and bitboard.h includes it, so a
 * difference between what Python believes and what C does is a compile error.
 * Each function is a leaf: a few nanoseconds of arithmetic that cannot block,
 * fail or call back. The docstrings are those of bitboard/core/_py.py.
 */

bb_board bb_move_up(bb_board board);
bb_board bb_move_right(bb_board board);
bb_board bb_move_down(bb_board board);
bb_board bb_move_left(bb_board board);

uint32_t bb_reward_rows(bb_board board);
uint32_t bb_reward_columns(bb_board board);

unsigned bb_legal_moves(bb_board board);
_Bool bb_is_over(bb_board board);
_Bool bb_is_saturated(bb_board board);

bb_board bb_spawn(bb_board board, uint64_t random64);
uint64_t bb_random64(uint64_t seed, uint64_t i);
uint64_t bb_stream(uint64_t seed, uint64_t index);
bb_board bb_first_board(uint64_t stream);
bb_board bb_next_board(bb_board board, uint64_t stream, uint64_t slide);

unsigned bb_empty_count(bb_board board);
unsigned bb_max_exponent(bb_board board);
uint32_t bb_tile_sum(bb_board board);

bb_board bb_transpose(bb_board board);
bb_board bb_flip_horizontal(bb_board board);
bb_board bb_flip_vertical(bb_board board);
bb_board bb_rotate_90(bb_board board);
bb_board bb_rotate_180(bb_board board);
bb_board bb_rotate_270(bb_board board);
bb_board bb_canonical(bb_board board);
