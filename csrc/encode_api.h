/* encode_api.h - boards as other arrays. Read by cdef() too, see bulk_api.h. */

/* encode.c: for each board its 4 slides, 16 cells, 16 planes of 16 cells, 8 symmetric images */
void bb_afterstates_many(int cpu, const bb_board *boards, bb_board *afterstates, int32_t *rewards, uint8_t *legal,
                         size_t n);
void bb_exponents_many(int cpu, const bb_board *boards, uint8_t *out, size_t n);
void bb_one_hot_many(int cpu, const bb_board *boards, uint8_t *out, size_t n);
void bb_one_hot_float_many(int cpu, const bb_board *boards, float *out, size_t n);
void bb_symmetries_many(int cpu, const bb_board *boards, bb_board *out, size_t n);
