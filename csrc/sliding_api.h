/* sliding_api.h - sliding puzzles: boards, pattern databases, IDA* and A*. Read by cdef() too, see bulk_api.h. */

/* sliding.c: puzzles of up to 16 cells, boards in the form of sliding.h. moves: letters[direction]. */
struct bb_sliding_goal {
    int rows, cols;
    int blank;           /* the cell of the blank in the goal, and its number on a board */
    uint8_t order[4];    /* the directions in the order in which they are tried */
    uint8_t letters[4];  /* what a direction is called in the answer */
};
/* Make the forms: piece v of a board becomes piece[v], at place[cell]. The index of the first
 * board that does not hold each of 0 .. cells-1 once and zeros elsewhere, or n. */
size_t bb_sliding_convert(const bb_board *boards, uint64_t *out, size_t n, int cells, const uint8_t *piece,
                          const uint8_t *place);
/* Distances of all boards by bb_sliding_rank, 255 where there is no way; cells <= 10.
 * queue: room for cells!/2 words. counts: 64 numbers, how many boards lie at each distance. */
void bb_sliding_table(const struct bb_sliding_goal *goal, uint8_t *distance, uint64_t *queue, uint64_t *counts);
uint32_t bb_sliding_rank(bb_board board, int cells);
/* The moves down the table: letters at moves[i * stride], lengths[i] of them or 255. */
void bb_sliding_walk(const struct bb_sliding_goal *goal, const uint8_t *distance, const bb_board *boards, size_t n,
                     uint8_t *moves, size_t stride, uint8_t *lengths);

/* sliding_database.c: one pattern of a pattern database for the goal 0123..., `blank` the cell of
 * the blank. pieces: 1 to 8 of them, ascending. begin: NULL without memory; it takes 3 bytes an entry.
 * step: goes on for about `budget` entries; 1 when `out` is complete, 0 to be called again, -1
 * without memory. out: (entries + 1) / 2 bytes, zero at first. Free a build in any state. */
struct bb_pdb_build;
uint64_t bb_pdb_entries(int cells, int length);
struct bb_pdb_build *bb_pdb_begin(int rows, int cols, int blank, const uint8_t *pieces, int length);
int bb_pdb_step(struct bb_pdb_build *build, uint8_t *out, uint64_t budget);
uint64_t bb_pdb_done(const struct bb_pdb_build *build); /* entries found and entries written: 2 * entries in the end */
void bb_pdb_free(struct bb_pdb_build *build);

/* sliding_search.c: IDA*. The heuristic is the Manhattan distance where parts is 0 and both `walk` are NULL. */
struct bb_sliding_heuristic {
    int parts;                  /* patterns of a database, at most 8; 0 for no database */
    int mirrored;               /* look up the board mirrored in its main diagonal too */
    uint8_t slot[16];           /* pieces numbered pattern by pattern: those of part p from first[p] on */
    uint8_t part[16];           /* the pattern of a piece */
    uint8_t first[8];
    uint32_t weight[8][8];      /* of the places of a pattern's pieces in its index, then zeros */
    const uint8_t *table[8];    /* nibbles, see sliding_database.c */
    /* Walking distance along rows [0] and columns [1], or NULL: by state, and the state after a move, at
     * [state][0: the blank goes to the line before, 1: to the line behind][line of the tile's goal]. */
    const uint8_t *walk[2];
    const uint16_t *walk_next[2];
    uint16_t walk_start[2];     /* the states of the board to be solved */
    int walk_lines[2];
};
struct bb_sliding_node {
    uint64_t board, where, mirror;  /* by cell; by slot; by slot of the mirrored board */
    uint32_t more, mirror_more;     /* the nibbles of all parts, in the board and in the mirrored one */
    uint16_t walk[2];
    uint8_t sum, mirror_sum;        /* of the nibbles; or sum is the walking distance */
    uint8_t distance;               /* Manhattan */
    uint8_t blank, move;
    uint8_t bound;                  /* no solution through here is shorter; 255: none within the search's bound */
};
struct bb_sliding_search {
    struct bb_sliding_goal goal;    /* to be set, as is `using` */
    struct bb_sliding_heuristic using;
    uint64_t nodes;                 /* generated so far */
    int bound;                      /* no solution is shorter */
    int depth;                      /* of the stack below */
    uint8_t to[4][16];              /* the next cell in a direction */
    uint8_t away[16][16];           /* Manhattan distance of two cells */
    uint8_t children[256], next[256];
    struct bb_sliding_node node[256][4];
};
int bb_sliding_lower_bound(struct bb_sliding_search *search, bb_board board); /* what the heuristic says */
void bb_sliding_begin(struct bb_sliding_search *search, bb_board board);
/* Go on until `end` nodes are generated: 1 when solved, 0 to be called again, -1 where there is no solution. */
int bb_sliding_step(struct bb_sliding_search *search, uint64_t end);
/* The letters of the solution found, search->bound of them. */
void bb_sliding_moves(const struct bb_sliding_search *search, uint8_t *moves);

/* sliding_astar.c: A* with the Manhattan distance. */
struct bb_sliding_astar;
struct bb_sliding_astar *bb_sliding_astar_begin(const struct bb_sliding_goal *goal, bb_board board);
/* Go on until `end` boards are kept: 1 solved, 0 to be called again, -1 no solution, -2 more than `bytes` or no
 * memory. */
int bb_sliding_astar_step(struct bb_sliding_astar *astar, uint64_t end, uint64_t bytes);
uint64_t bb_sliding_astar_nodes(const struct bb_sliding_astar *astar); /* boards kept so far */
int bb_sliding_astar_bound(const struct bb_sliding_astar *astar);      /* no solution is shorter */
void bb_sliding_astar_moves(const struct bb_sliding_astar *astar, uint8_t *moves);
void bb_sliding_astar_free(struct bb_sliding_astar *astar);
