/* encode_loops.h - the loops of encode.c, compiled once for each CPU variant. */

static void VARIANT(afterstates)(const bb_board *restrict boards, bb_board *restrict afterstates,
                                 int32_t *restrict rewards, uint8_t *restrict legal, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bb_board columns = bb_transposed(boards[i]), left = 0, right = 0, up = 0, down = 0;
        uint64_t row_flags = 0, column_flags = 0, row_quarters = 0, column_quarters = 0;
        for (int r = 0; r < 4; r++) {
            uint64_t row = bb_entry(boards[i], r), column = bb_entry(columns, r);
            left = left << 16 | bb_entry_left64(row);
            right = right << 16 | bb_entry_right64(row);
            up = up << 16 | bb_entry_left64(column);
            down = down << 16 | bb_entry_right64(column);
            row_quarters += bb_entry_quarters64(row);
            column_quarters += bb_entry_quarters64(column);
            row_flags |= row;
            column_flags |= column;
        }
        afterstates[4 * i + BB_UP] = bb_transposed(up);
        afterstates[4 * i + BB_RIGHT] = right;
        afterstates[4 * i + BB_DOWN] = bb_transposed(down);
        afterstates[4 * i + BB_LEFT] = left;
        rewards[4 * i + BB_UP] = rewards[4 * i + BB_DOWN] = (int32_t)(column_quarters * 4);
        rewards[4 * i + BB_RIGHT] = rewards[4 * i + BB_LEFT] = (int32_t)(row_quarters * 4);
        legal[i] = (uint8_t)(bb_entry_legal_row(row_flags) | bb_entry_legal_column(column_flags));
    }
}

static void VARIANT(exponents)(const bb_board *restrict boards, uint8_t *restrict out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int cell = 0; cell < 16; cell++)
            out[16 * i + (size_t)cell] = (uint8_t)(boards[i] >> (60 - 4 * cell) & 15);
}

#define ONE_HOT(name, type)                                                                    \
    static void VARIANT(name)(const bb_board *restrict boards, type *restrict out, size_t n)   \
    {                                                                                          \
        for (size_t i = 0; i < n; i++) {                                                       \
            type cells[16];                                                                    \
            for (int cell = 0; cell < 16; cell++)                                              \
                cells[cell] = (type)(boards[i] >> (60 - 4 * cell) & 15);                       \
            for (size_t k = 0; k < 16; k++)                                                    \
                for (size_t cell = 0; cell < 16; cell++)                                       \
                    out[256 * i + 16 * k + cell] = (type)(cells[cell] == (type)k);             \
        }                                                                                      \
    }

ONE_HOT(one_hot, uint8_t)
ONE_HOT(one_hot_float, float)

#undef ONE_HOT

static void VARIANT(symmetries)(const bb_board *restrict boards, bb_board *restrict out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bb_board board = boards[i], transposed = bb_transposed(board);
        bb_board mirrored = bb_flipped_horizontal(board), turned = bb_flipped_horizontal(transposed);
        out[8 * i] = board;
        out[8 * i + 1] = turned;                         /* rotate_90 */
        out[8 * i + 2] = bb_flipped_vertical(mirrored);              /* rotate_180 */
        out[8 * i + 3] = bb_flipped_vertical(transposed);            /* rotate_270 */
        out[8 * i + 4] = mirrored;                       /* flip_horizontal */
        out[8 * i + 5] = bb_flipped_vertical(board);                 /* flip_vertical */
        out[8 * i + 6] = transposed;                     /* transpose */
        out[8 * i + 7] = bb_flipped_vertical(turned);                /* transposed after half a turn */
    }
}
