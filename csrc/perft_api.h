/* perft_api.h - counting games of a given length. Read by cdef() too, see bulk_api.h. */

/* perft.c */
uint64_t bb_perft(bb_board board, int depth);
