/* atomics.h - flags of 32 bits that threads share: read and written whole, without C11's <stdatomic.h>.
 *
 * Relaxed: a flag orders no other memory, it only has to arrive.
 */
#ifndef BITBOARD_ATOMICS_H
#define BITBOARD_ATOMICS_H

#include <stdint.h>

#if defined(__GNUC__)
static inline int32_t bb_atomic_load(const int32_t *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static inline void bb_atomic_store(int32_t *flag, int32_t value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }
#elif defined(_MSC_VER)
#include <intrin.h>
/* Aligned volatile reads of 32 bits are atomic on every machine that MSVC compiles for. */
static __inline int32_t bb_atomic_load(const int32_t *flag) { return *(const volatile int32_t *)flag; }
static __inline void bb_atomic_store(int32_t *flag, int32_t value)
{
    _InterlockedExchange((volatile long *)flag, value);
}
#else
#error "atomics.h knows GNU C (gcc, clang) and MSVC: add the atomic loads and stores of this compiler"
#endif

#endif
