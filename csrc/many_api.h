/* many_api.h - one operation on an array of boards. Read by cdef() too, see bulk_api.h. */

/* many.c: out[i] from boards[i]; out may be the same array as boards */
void bb_move_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction);
void bb_reward_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction);
void bb_legal_moves_many(int cpu, const bb_board *boards, uint64_t *out, size_t n);
void bb_spawn_many(int cpu, const bb_board *boards, const uint64_t *random64, uint64_t *out, size_t n);
