/* variants.h - one kernel source compiled for several CPUs, and how to choose among them.
 *
 * A file of kernels X.c includes its loops X_loops.h once a variant, each time with
 * VARIANT(name) giving the loop a name of its own, and keeps a const array of
 * pointers to the copies, indexed by `cpu`:
 *
 *      #define BB_LOOPS "many_loops.h"
 *      #include "variants_each.h"
 *      static loop *const variants[] = BB_VARIANTS(name);      then variants[cpu](...)
 *
 * The loops are plain C that the compiler vectorises; only the instruction set differs.
 * Python picks `cpu` and passes it with each call: nothing here is set or remembered.
 * On other compilers and processors there is the baseline alone.
 */
#ifndef BITBOARD_VARIANTS_H
#define BITBOARD_VARIANTS_H

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && defined(__x86_64__)
#define BB_X86_VARIANTS 1
#define BB_VARIANTS(name) {name##_baseline, name##_v3, name##_v4}
#else
#define BB_X86_VARIANTS 0
#define BB_VARIANTS(name) {name##_baseline}
#endif

#endif
