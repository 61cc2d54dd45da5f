/* grid_loops.h - the loops of grid.c, compiled once for each CPU variant.
 *
 * Every inner loop runs over the 32 lanes of a row, one for each column, with no branch: a
 * compiler makes it one or two vector instructions. So all columns slide at once. */

#define EACH_LANE for (size_t lane = 0; lane < LANES; lane++)

/* A slide of the columns half done: the rows that its tiles leave in, and how far each has to move. */
struct VARIANT(leaving) {
    uint8_t value[SIDE + 1][LANES], shift[SIDE + 1][LANES];
    uint8_t gaps[LANES];       /* how many of the rows of a column hold no tile */
    unsigned shifts, merges;   /* all shifts or-ed together; not 0 if tiles merged */
};

/* Merge the tiles of the columns as they slide towards row 0, or towards the last row if `down`.
 *
 * Walking from the wall, the last tile seen waits in `pending` for its partner. It leaves, at the
 * row where that is decided, as itself or merged:
 *
 *      column   2 . 2 4 8 8        (pending 8 leaves in one extra row at the end)
 *      leaving  . . 4 . 4 . 16     e.g. 4 leaves at the row of the first 8
 */
BB_INLINE void VARIANT(leave)(struct VARIANT(leaving) *to, const uint8_t *from, size_t rows, int down, int top)
{
    const uint8_t highest = (uint8_t)top;
    uint8_t pending[LANES] = {0}, gaps[LANES] = {0}, any[LANES] = {0}, merged[LANES] = {0};
    for (size_t r = 0; r < rows; r++) {
        const uint8_t *row = from + LANES * (down ? rows - 1 - r : r);
        EACH_LANE {
            uint8_t tile = row[lane], waits = pending[lane];
            uint8_t empty = tile == 0 ? 255 : 0;
            uint8_t joins = (uint8_t)((tile == waits ? 255 : 0) & (tile < highest ? 255 : 0));
            uint8_t leaves = (uint8_t)((waits - joins) & ~empty); /* - 255 is + 1 */
            uint8_t stays = (uint8_t)((waits & empty) | (tile & ~joins));
            uint8_t gap = leaves == 0 ? 255 : 0;
            pending[lane] = stays;
            merged[lane] |= (uint8_t)(joins & ~empty);
            to->value[r][lane] = leaves;
            to->shift[r][lane] = (uint8_t)(gaps[lane] & ~gap);
            any[lane] |= (uint8_t)(gaps[lane] & ~gap);
            gaps[lane] = (uint8_t)(gaps[lane] - gap);
        }
    }
    EACH_LANE {
        uint8_t gap = pending[lane] == 0 ? 255 : 0;
        to->value[rows][lane] = pending[lane];
        to->shift[rows][lane] = (uint8_t)(gaps[lane] & ~gap);
        any[lane] |= (uint8_t)(gaps[lane] & ~gap);
        to->gaps[lane] = (uint8_t)(gaps[lane] - gap);
    }
    to->shifts = to->merges = 0;
    EACH_LANE to->shifts |= any[lane];
    EACH_LANE to->merges |= merged[lane];
}

/* Slide the columns of `from` towards row 0, or towards the last row if `down`; what it did, CHANGED
 * and MERGED. `to` is another square; rows from `height` on are not written. Tiles of exponent `top`
 * do not merge.
 *
 * After the merges the gaps are closed: each tile has to move by the number of empty cells before
 * it, and moves by 1, 2, 4 ... as the bits of that number say. From the lowest bit up no two tiles
 * meet (the "compress" of Warren, Hacker's Delight, 7-4). */
static int VARIANT(slide)(const uint8_t *from, uint8_t *to, int height, int down, int top)
{
    const size_t rows = (size_t)height;
    struct VARIANT(leaving) leaving;
    uint8_t differs[LANES] = {0};
    unsigned changes = 0;

    VARIANT(leave)(&leaving, from, rows, down, top);
    for (size_t step = 1; step <= rows; step *= 2) {
        const uint8_t bit = (uint8_t)step;
        if (!(leaving.shifts & bit))
            continue;
        for (size_t r = 0; r <= rows - step; r++) {
            EACH_LANE {
                uint8_t goes = (uint8_t)(leaving.shift[r][lane] & bit) ? 255 : 0;
                uint8_t comes = (uint8_t)(leaving.shift[r + step][lane] & bit) ? 255 : 0;
                leaving.value[r][lane] =
                    (uint8_t)((leaving.value[r][lane] & ~goes) | (leaving.value[r + step][lane] & comes));
                leaving.shift[r][lane] =
                    (uint8_t)((leaving.shift[r][lane] & ~goes) | (leaving.shift[r + step][lane] & comes));
            }
        }
        for (size_t r = rows - step + 1; r <= rows; r++) {
            EACH_LANE {
                uint8_t goes = (uint8_t)(leaving.shift[r][lane] & bit) ? 255 : 0;
                leaving.value[r][lane] = (uint8_t)(leaving.value[r][lane] & ~goes);
                leaving.shift[r][lane] = (uint8_t)(leaving.shift[r][lane] & ~goes);
            }
        }
    }
    for (size_t r = 0; r < rows; r++) {
        const uint8_t *was = from + LANES * (down ? rows - 1 - r : r);
        uint8_t *row = to + LANES * (down ? rows - 1 - r : r);
        EACH_LANE {
            row[lane] = leaving.value[r][lane];
            differs[lane] |= (uint8_t)(leaving.value[r][lane] ^ was[lane]);
        }
    }
    EACH_LANE changes |= differs[lane];
    return (changes ? CHANGED : 0) | (leaving.merges ? MERGED : 0);
}

/* Rows become columns, for the whole square of 32: cell r * 32 + c goes to c * 32 + r, so the ten
 * bits of its number turn by five. One riffle of the two halves turns them by one. */
static void VARIANT(transpose)(const uint8_t *from, uint8_t *to)
{
    uint8_t other[CELLS];
    const uint8_t *source = from;
    for (int turn = 0; turn < 5; turn++) {
        uint8_t *target = turn % 2 == 0 ? to : other;
        for (size_t i = 0; i < CELLS / 2; i++) {
            target[2 * i] = source[i];
            target[2 * i + 1] = source[i + CELLS / 2];
        }
        source = target;
    }
}

/* How many cells hold an exponent that is not 0. */
static unsigned VARIANT(count)(const uint8_t *board, int height, unsigned exponent)
{
    const size_t rows = (size_t)height;
    uint8_t in_lane[LANES] = {0};
    unsigned sum = 0;
    for (size_t r = 0; r < rows; r++)
        EACH_LANE in_lane[lane] = (uint8_t)(in_lane[lane] + (board[LANES * r + lane] == exponent));
    EACH_LANE sum += in_lane[lane];
    return sum;
}

/* How many pairs of an exponent, not 0 or the top, a slide of the columns merges: the same up and down. */
static unsigned VARIANT(merges)(const uint8_t *board, int height, unsigned exponent)
{
    const size_t rows = (size_t)height;
    uint8_t waiting[LANES] = {0}, in_lane[LANES] = {0};
    unsigned sum = 0;
    for (size_t r = 0; r < rows; r++) {
        EACH_LANE {
            uint8_t tile = board[LANES * r + lane];
            uint8_t is = tile == exponent ? 255 : 0, empty = tile == 0 ? 255 : 0;
            uint8_t pair = (uint8_t)(is & waiting[lane]);
            in_lane[lane] = (uint8_t)(in_lane[lane] - pair);
            waiting[lane] = (uint8_t)((waiting[lane] & empty) | (is & ~pair));
        }
    }
    EACH_LANE sum += in_lane[lane];
    return sum;
}

/* What two tiles of an exponent could do after a slide of the columns, without making it: a mask of
 * ALONG (the same axis merges a pair in the next slide), ACROSS (the other one does) and UNDECIDED (ask
 * the slide itself about ACROSS).
 *
 * The tiles leave as in slide(), and only those of the exponent need their place: how many leave
 * before them. Two of them merge across if that is the same number and every column between is
 * shorter: it has no tile there. */
static int VARIANT(foresee)(const uint8_t *from, int height, int down, int top, unsigned exponent)
{
    enum { FEW = 8 };
    const size_t rows = (size_t)height;
    const uint8_t wanted = (uint8_t)exponent;
    struct VARIANT(leaving) leaving;
    uint8_t hits[LANES] = {0}, last[LANES] = {0}, pairs[LANES] = {0};
    unsigned sum = 0, along = 0, found = 0;
    size_t lanes[FEW], places[FEW];

    VARIANT(leave)(&leaving, from, rows, down, top);
    for (size_t r = 0; r <= rows; r++) {
        EACH_LANE {
            uint8_t leaves = leaving.value[r][lane];
            uint8_t is = leaves == wanted ? 255 : 0, none = leaves == 0 ? 255 : 0;
            hits[lane] = (uint8_t)(hits[lane] - is);
            pairs[lane] |= (uint8_t)(is & last[lane]);
            last[lane] = (uint8_t)((last[lane] & none) | is);
        }
    }
    EACH_LANE sum += hits[lane];
    EACH_LANE along |= pairs[lane];
    along = along ? ALONG : 0;
    if (sum > FEW)
        return (int)along | UNDECIDED;
    EACH_LANE {
        for (size_t r = 0; hits[lane] && r <= rows; r++) {
            if (leaving.value[r][lane] == wanted) {
                lanes[found] = lane;
                places[found++] = r - leaving.shift[r][lane];
            }
        }
    }
    for (unsigned i = 0; i < found; i++) {
        for (unsigned j = i + 1; j < found; j++) {
            size_t between = lanes[i] + 1;
            if (places[i] != places[j] || lanes[i] == lanes[j])
                continue;
            while (between < lanes[j] && rows + 1 - leaving.gaps[between] <= places[i])
                between++;
            if (between == lanes[j])
                return (int)along | ACROSS;
        }
    }
    return (int)along;
}

#undef EACH_LANE

static const struct kernels VARIANT(kernels) = {VARIANT(slide), VARIANT(transpose), VARIANT(count), VARIANT(merges),
                                                   VARIANT(foresee)};
