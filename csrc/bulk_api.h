/* bulk_api.h - arrays and searches that Python calls: the module bitboard._bulk.
 *
 * Read by cdef() and included by bitboard.h, as leaf_api.h is. These functions
 * run without the GIL. The caller has checked every pointer and length; arrays
 * are not overlapping unless a comment says that they may be the same.
 *
 * `cpu` is the CPU variant to run (see variants.h), 0 to bb_cpu_count() - 1.
 */

/* variants.c */
int bb_cpu_count(void);              /* how many variants this build holds */
int bb_cpu_best(void);               /* the last one that this machine can run */
const char *bb_cpu_name(int cpu);    /* "baseline", "x86-64-v3", ... */

/* many.c: out[i] from boards[i]; out may be the same array as boards */
void bb_move_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction);
void bb_reward_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction);
void bb_legal_moves_many(int cpu, const bb_board *boards, uint64_t *out, size_t n);
void bb_spawn_many(int cpu, const bb_board *boards, const uint64_t *random64, uint64_t *out, size_t n);

/* perft.c */
uint64_t bb_perft(bb_board board, int depth);
