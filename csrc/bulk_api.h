/* bulk_api.h - the functions over arrays and the searches that Python calls, the module bitboard.core._bulk:
 * one header a subject. A new one is a line here; csrc/ffi_build.py reads this list and gives each to cdef().
 *
 * An API header is plain declarations. These functions run without the GIL. The caller has checked every
 * pointer and length, and pointers are aligned; arrays are not overlapping unless a comment says that they
 * may be the same. `cpu` is the CPU variant to run (see variants.h), 0 to bb_cpu_count() - 1.
 */
#include "cpu_api.h"
#include "many_api.h"
#include "perft_api.h"
#include "grid_api.h"
#include "play_api.h"
#include "batch_api.h"
#include "encode_api.h"
#include "env_api.h"
#include "sliding_api.h"
#include "search_api.h"
#include "network_api.h"
