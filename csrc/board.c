/* board.c - the one-board functions of leaf_api.h: slides, tests, chance, symmetries. */
#include "bitboard.h"

bb_board bb_move_up(bb_board board) { return bb_slid(board, BB_UP); }
bb_board bb_move_right(bb_board board) { return bb_slid(board, BB_RIGHT); }
bb_board bb_move_down(bb_board board) { return bb_slid(board, BB_DOWN); }
bb_board bb_move_left(bb_board board) { return bb_slid(board, BB_LEFT); }

uint32_t bb_reward_rows(bb_board board) { return bb_rows_reward(board); }
uint32_t bb_reward_columns(bb_board board) { return bb_rows_reward(bb_transposed(board)); }

unsigned bb_legal_moves(bb_board board) { return bb_legal(board); }
_Bool bb_is_over(bb_board board) { return bb_legal(board) == 0; }

_Bool bb_is_saturated(bb_board board) { return bb_saturated(board) != 0; }

bb_board bb_spawn(bb_board board, uint64_t random64) { return bb_spawned(board, random64); }
uint64_t bb_random64(uint64_t seed, uint64_t i) { return bb_random_at(seed, i); }
uint64_t bb_stream(uint64_t seed, uint64_t index) { return bb_stream_of(seed, index); }
bb_board bb_first_board(uint64_t stream) { return bb_first(stream); }
bb_board bb_next_board(bb_board board, uint64_t stream, uint64_t slide) { return bb_next(board, stream, slide); }

unsigned bb_empty_count(bb_board board) { return bb_count_empty(board); }

unsigned bb_max_exponent(bb_board board) { return bb_largest(board); }

/* The sum of the face values: an empty cell's 2**0 is masked away. */
uint32_t bb_tile_sum(bb_board board)
{
    uint32_t sum = 0;
    for (int shift = 0; shift < 64; shift += 4)
        sum += (UINT32_C(1) << (board >> shift & 15)) & ~UINT32_C(1);
    return sum;
}

/* The eight symmetries are made of three: transpose, and the two mirrors. */

bb_board bb_transpose(bb_board board) { return bb_transposed(board); }

bb_board bb_flip_horizontal(bb_board board) { return bb_flipped_horizontal(board); }
bb_board bb_flip_vertical(bb_board board) { return bb_flipped_vertical(board); }

/* Clockwise: the left column becomes the top row. */
bb_board bb_rotate_90(bb_board board) { return bb_flip_horizontal(bb_transposed(board)); }
bb_board bb_rotate_180(bb_board board) { return bb_flip_horizontal(bb_flip_vertical(board)); }
bb_board bb_rotate_270(bb_board board) { return bb_flip_vertical(bb_transposed(board)); }

/* The smallest of the eight symmetric images. */
bb_board bb_canonical(bb_board board)
{
    bb_board smallest = board;
    for (int i = 0; i < 8; i++) {
        board = i & 1 ? bb_transposed(board) : bb_flip_horizontal(board); /* walks through all eight */
        smallest = board < smallest ? board : smallest;
    }
    return smallest;
}
