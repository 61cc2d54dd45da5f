/* bitboard.h - the packed board, the row table and what is made of them.
 *
 * A board is 64 bits, one hexadecimal digit a cell, in reading order:
 *
 *      0x 0123 4567 89ab cdef        cells   0  1  2  3    <- bits 63..48
 *         ^ cell 0, bits 63..60              4  5  6  7
 *                                            8  9 10 11
 *                                           12 13 14 15    <- bits 15..0
 *
 * A digit is an exponent: 0 an empty cell, k the tile 2**k, 15 the tile 32768.
 * A slide to the left looks up four rows in one table; a slide up is a slide to
 * the left of the transposed board. The idea of a table of all 65,536 rows is
 * folklore among 2048 programs (nneonneo's and TDL2048's are known examples).
 */
#ifndef BITBOARD_H
#define BITBOARD_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t bb_board;
typedef uint16_t bb_row;

#if defined(__GNUC__)
#define BB_INLINE static inline __attribute__((always_inline, unused))
#else
#define BB_INLINE static inline
#endif

/* Ask for the cache line of an address that is read soon. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* What a function takes for granted: checked in the self-tests' build, nothing otherwise. */
#ifdef BB_CHECKED
#include <assert.h>
#define BB_ASSERT(condition) assert(condition)
#else
#define BB_ASSERT(condition) ((void)0)
#endif

#include "bulk_api.h"
#include "leaf_api.h"

enum { BB_UP, BB_RIGHT, BB_DOWN, BB_LEFT }; /* directions; bit d of a mask is direction d */

#define BB_EACH_CELL UINT64_C(0x1111111111111111) /* the lowest bit of every cell */

/* The row table: bitboard/core/rows.bin, put into the program at build time.
 *
 *      63     57  56    55..52     51..48      47..32      31..16   15..0
 *      |unused| S | as a column | as a row | reward / 4 |  right  |  left  |
 *
 * left, right: the row after the slide; reward is the same for both. "As a row"
 * is a mask of the directions LEFT and RIGHT that change the row, "as a column"
 * the same with UP for left and DOWN for right. S: two 32768 tiles meet here. */
extern const uint64_t bb_rows[65536];

/* The entry of row r of the board, 0 the top one. */
BB_INLINE uint64_t bb_entry(bb_board board, int r)
{
    BB_ASSERT(r >= 0 && r < 4);
    return bb_rows[(board >> (48 - 16 * r)) & 0xFFFF];
}

/* In 64 bits, as loops that vectorise want them: a row in the lowest 16, and the reward / 4. */
BB_INLINE uint64_t bb_entry_left64(uint64_t entry) { return entry & 0xFFFF; }
BB_INLINE uint64_t bb_entry_right64(uint64_t entry) { return entry >> 16 & 0xFFFF; }
BB_INLINE uint64_t bb_entry_quarters64(uint64_t entry) { return entry >> 32 & 0xFFFF; }

BB_INLINE bb_row bb_entry_left(uint64_t entry) { return (bb_row)entry; }
BB_INLINE bb_row bb_entry_right(uint64_t entry) { return (bb_row)(entry >> 16); }
BB_INLINE uint32_t bb_entry_reward(uint64_t entry) { return (uint32_t)(entry >> 32 & 0xFFFF) * 4; }
BB_INLINE unsigned bb_entry_legal_row(uint64_t entry) { return (unsigned)(entry >> 48 & 15); }
BB_INLINE unsigned bb_entry_legal_column(uint64_t entry) { return (unsigned)(entry >> 52 & 15); }
BB_INLINE unsigned bb_entry_saturated(uint64_t entry) { return (unsigned)(entry >> 56 & 1); }

/* Exchange the bits under `mask` with those `shift` above them. */
BB_INLINE bb_board bb_exchange(bb_board board, bb_board mask, int shift)
{
    bb_board t = (board ^ board >> shift) & mask;
    return board ^ t ^ t << shift;
}

/* Rows become columns: first within the four 2x2 blocks, then the two blocks off the diagonal.
 *
 *      0 1 2 3        0 4 2 6        0 4 8 c
 *      4 5 6 7   ->   1 5 3 7   ->   1 5 9 d
 *      8 9 a b        8 c a e        2 6 a e
 *      c d e f        9 d b f        3 7 b f
 */
BB_INLINE bb_board bb_transposed(bb_board board)
{
    board = bb_exchange(board, UINT64_C(0x0000F0F00000F0F0), 12);
    return bb_exchange(board, UINT64_C(0x00000000FF00FF00), 24);
}

/* Each row mirrored: 0123 -> 1032 -> 3210. */
BB_INLINE bb_board bb_flipped_horizontal(bb_board board)
{
    board = bb_exchange(board, UINT64_C(0x0F0F0F0F0F0F0F0F), 4);
    return bb_exchange(board, UINT64_C(0x00FF00FF00FF00FF), 8);
}

/* The order of the rows mirrored. */
BB_INLINE bb_board bb_flipped_vertical(bb_board board)
{
    board = bb_exchange(board, UINT64_C(0x0000FFFF0000FFFF), 16);
    return board >> 32 | board << 32;
}

/* The board after its rows slide to the left. */
BB_INLINE bb_board bb_slid_left(bb_board board)
{
    bb_board out = 0;
    for (int r = 0; r < 4; r++)
        out = out << 16 | bb_entry_left(bb_entry(board, r));
    return out;
}

/* The board after its rows slide to the right. */
BB_INLINE bb_board bb_slid_right(bb_board board)
{
    bb_board out = 0;
    for (int r = 0; r < 4; r++)
        out = out << 16 | bb_entry_right(bb_entry(board, r));
    return out;
}

/* The board after a slide; direction is 0 to 3. Best when it is a constant. */
BB_INLINE bb_board bb_slid(bb_board board, int direction)
{
    BB_ASSERT(direction >= 0 && direction < 4);
    switch (direction) {
    case BB_UP: return bb_transposed(bb_slid_left(bb_transposed(board)));
    case BB_RIGHT: return bb_slid_right(board);
    case BB_DOWN: return bb_transposed(bb_slid_right(bb_transposed(board)));
    default: return bb_slid_left(board);
    }
}

/* The points of sliding the rows, to either side. */
BB_INLINE uint32_t bb_rows_reward(bb_board board)
{
    uint32_t sum = 0;
    for (int r = 0; r < 4; r++)
        sum += bb_entry_reward(bb_entry(board, r));
    return sum;
}

/* The mask of the directions that change the board. */
BB_INLINE unsigned bb_legal(bb_board board)
{
    bb_board columns = bb_transposed(board);
    unsigned mask = 0;
    for (int r = 0; r < 4; r++)
        mask |= bb_entry_legal_row(bb_entry(board, r)) | bb_entry_legal_column(bb_entry(columns, r));
    return mask;
}

/* 1 where two 32768 tiles meet in a row or column with nothing between them, else 0. */
BB_INLINE unsigned bb_saturated(bb_board board)
{
    bb_board columns = bb_transposed(board);
    unsigned saturated = 0;
    for (int r = 0; r < 4; r++)
        saturated |= bb_entry_saturated(bb_entry(board, r)) | bb_entry_saturated(bb_entry(columns, r));
    return saturated;
}

/* The exponent of the largest tile, 0 on the empty board.
 *
 * From the top bit of the exponents down: the cells that have the bit are the only ones left, if there
 * are any, and then the largest exponent has it too. No branch, so that loops over boards vectorise. */
BB_INLINE unsigned bb_largest(bb_board board)
{
    uint64_t left = BB_EACH_CELL, exponent = 0;
    for (int bit = 3; bit >= 0; bit--) {
        uint64_t with = board >> bit & left;
        uint64_t some = with != 0;
        left = some ? with : left;
        exponent = exponent << 1 | some;
    }
    return (unsigned)exponent;
}

/* The lowest bit of every empty cell: 0xA00B -> 0x0110. */
BB_INLINE uint64_t bb_empty_cells(bb_board board)
{
    uint64_t any = board | board >> 1;
    return ~(any | any >> 2) & BB_EACH_CELL;
}

/* How many cells are empty, 0 to 16. A product with 0x1111... sums all cells into the top one,
 * which is 4 bits wide: the empty board's 16 has to be put back. */
BB_INLINE unsigned bb_count_empty(bb_board board)
{
    return (unsigned)(bb_empty_cells(board) * BB_EACH_CELL >> 60) | (unsigned)(board == 0) << 4;
}

/* One of n equally likely numbers 0 .. n-1 from the high half of a random number. */
BB_INLINE unsigned bb_choose(uint64_t random64, unsigned n)
{
    return (unsigned)((random64 >> 32) * n >> 32);
}

/* The board with a tile in the empty cell that random64 chooses; a full board unchanged.
 *
 * Without a branch, so that loops over boards vectorise: the product with 0x1111... writes
 * into each cell how many empty cells lie at or below it (modulo 16), and the chosen cell
 * is the empty one whose count is n - k. With n = 16 the top cell's count 16 shows as 0,
 * and so does the 16 looked for. */
BB_INLINE bb_board bb_spawned(bb_board board, uint64_t random64)
{
    uint64_t empty = bb_empty_cells(board);
    uint64_t count = empty * BB_EACH_CELL;
    unsigned n = (unsigned)(count >> 60) | (unsigned)(board == 0) << 4;
    uint64_t wanted = (n - bb_choose(random64, n)) & 15;
    uint64_t differs = count ^ wanted * BB_EACH_CELL;
    uint64_t cell = bb_empty_cells(differs) & empty;
    uint64_t is_four = (random64 & 0xFFFFFFFF) < 429496730; /* one in ten of 2**32 */
    return board | cell << is_four;
}

/* SplitMix64 (Steele, Lea and Flood, 2014): its finaliser, and number i of a stream. */
BB_INLINE uint64_t bb_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

BB_INLINE uint64_t bb_random_at(uint64_t seed, uint64_t i)
{
    return bb_mix(seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15));
}

/* The seed of the independent stream number `index` of a seed. */
BB_INLINE uint64_t bb_stream_of(uint64_t seed, uint64_t index)
{
    return bb_mix(bb_mix(seed) + (index + 1) * UINT64_C(0xD1B54A32D192ED03));
}

/* The law of a game of a stream: numbers 0 and 1 of the stream give the two tiles that it starts with, number 2 + i
 * the spawn after its slide i. A slide that changes nothing is no slide; where no direction is legal the game is over.
 */
enum { BB_START_TILES = 2 };

BB_INLINE bb_board bb_first(uint64_t stream)
{
    return bb_spawned(bb_spawned(0, bb_random_at(stream, 0)), bb_random_at(stream, 1));
}

/* The board after slide number `slide`, from 0, which left `after`. */
BB_INLINE bb_board bb_next(bb_board after, uint64_t stream, uint64_t slide)
{
    return bb_spawned(after, bb_random_at(stream, BB_START_TILES + slide));
}

#endif
